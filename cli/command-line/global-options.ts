/** The heading under which help shows them. */
export const GLOBAL = 'Global options:';

export const GLOBAL_OPTIONS = [
  ['--json', 'print one JSON document'],
  ['--plain', 'tables as lines with tabs, for other programs'],
  ['-q, --quiet', 'leave out notes'],
  ['--no-color', 'never use colours'],
  ['--no-input', 'never ask: fail instead'],
  ['--host <url>', 'use the server at this address'],
  ['--key-file <file>', 'the API key is in this file, not ASKD_API_KEY'],
  ['--no-autostart', 'fail when the daemon is not running'],
  ['-v, --verbose', 'show the stack of unexpected errors'],
] as const;
