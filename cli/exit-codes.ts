/** Exit codes for scripts. The code of each failure is in src/base/errors.ts. */
export const EXIT_CODES: Readonly<Record<number, string>> = {
  0: 'success',
  1: 'failure',
  2: 'the command line or the request is wrong',
  3: 'a setting or a file of the installation is invalid',
  4: 'the key is missing, wrong, expired or not allowed to do this',
  5: 'no such model, key, file or card',
  6: 'the daemon is not running or does not answer',
  7: 'the network or a provider failed',
  8: 'the agent stopped without an answer',
  9: 'a file is damaged',
  10: 'another daemon is running for this home',
  130: 'interrupted (SIGINT)',
  143: 'terminated (SIGTERM)',
};

export const EXIT_USAGE = 2;
export const EXIT_UNREACHABLE = 6;
