import { CommanderError } from 'commander';
import { Failure, type FailureCode } from '../../src/base/errors.ts';
import { redactSecrets } from '../../src/base/secrets.ts';
import { EXIT_USAGE } from '../exit-codes.ts';
import { Interruption } from '../prompt/interruption.ts';
import { sanitise } from './sanitise.ts';

/** The fix for failures whose message does not name a command. */
const FIXES: Partial<Record<FailureCode, string>> = {
  invalid_api_key: 'askd keys create --name NAME, then put the new key into ASKD_API_KEY',
  expired_api_key: 'askd keys create --name NAME, then put the new key into ASKD_API_KEY',
  not_authenticated: 'run this as the user who started the daemon, on its machine',
  insufficient_scope: 'askd keys create --name NAME --scopes chat,read,admin',
  host_not_allowed: 'use the address that askd status shows',
  model_not_found: 'askd models',
  model_not_installed: 'askd pull SERVICE',
  engine_not_installed: 'askd list --available shows what this askd can run',
  licence_not_accepted: 'read the licence, then add --accept-licence',
  hub_not_found: 'askd search WORDS',
  hub_unreachable: 'askd doctor',
  offline: 'remove --offline',
  disk_full: 'askd rm MODEL',
  model_output_invalid: 'askd doctor --hashes checks its files',
  model_capability_mismatch: 'askd models shows what each model is for',
  invalid_model_file: 'choose a GGUF file, or the whole folder of a model: askd import --help',
  context_length_exceeded: 'shorten the prompt, or choose a model with a longer context: askd models',
  key_limit_reached: 'askd keys list, then askd keys revoke ID',
  model_load_failed: 'askd logs',
  runner_crashed: 'try again; askd logs shows the reason',
  queue_full: 'try again in a few seconds; askd ps shows the load',
  shutting_down: 'askd up',
  store_damaged: 'restore the home folder from a backup; askd status shows where it is',
  schema_too_new: 'npm install -g askd@latest',
  address_in_use: 'ASKD_PORT=PORT askd up',
  daemon_unreachable: 'askd up',
};

export type Report = { exitCode: number; lines: readonly string[] };

/** Formats every failure: what failed and why, then the command that fixes it. */
export function reportFailure(thrown: unknown, { verbose }: { verbose: boolean }): Report {
  if (thrown instanceof Interruption) return { exitCode: thrown.exitCode, lines: [] };
  if (thrown instanceof CommanderError) return reportUsage(thrown);
  if (thrown instanceof Failure) return reportExpected(thrown, verbose);
  return reportBug(thrown, verbose);
}

/** commander has already written its message, and exits with 0 after --help and --version. */
function reportUsage({ exitCode }: CommanderError): Report {
  return { exitCode: exitCode === 0 ? 0 : EXIT_USAGE, lines: [] };
}

/** Servers tell programs to send a header; on the command line, a key is given differently. */
const KEY_PROBLEMS: readonly FailureCode[] = ['invalid_api_key', 'expired_api_key'];

function reportExpected(failure: Failure, verbose: boolean): Report {
  const fix = fixOf(failure);
  const isOfKey = KEY_PROBLEMS.includes(failure.code) && fix === FIXES[failure.code];
  const message = isOfKey ? failure.message.replace(/\. .*$/s, '.') : withoutCommand(failure.message, fix);
  const lines = [`error: ${printable(message)}`];
  if (fix !== undefined) lines.push(`fix: ${printable(fix)}`);
  if (verbose && failure.cause instanceof Error) lines.push(`cause: ${stackOf(failure.cause)}`);
  return { exitCode: failure.kind.exit, lines };
}

/** Messages end with their command for clients that show nothing else. */
function withoutCommand(message: string, fix: string | undefined): string {
  if (fix === undefined || !message.endsWith(fix)) return message;
  return (
    message
      .slice(0, -fix.length)
      .replace(/[^.!?\n]*$/, '')
      .trimEnd() || message
  );
}

function fixOf({ code, message, details }: Failure): string | undefined {
  if (typeof details['fix'] === 'string') return details['fix'];
  return /\baskd [a-z]/.test(message) && !KEY_PROBLEMS.includes(code) ? undefined : FIXES[code];
}

function reportBug(thrown: unknown, verbose: boolean): Report {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const lines = [`error: ${printable(message)}`];
  lines.push(
    verbose ? stackOf(thrown) : 'fix: run it again with --verbose, and put the stack trace in a bug report',
  );
  return { exitCode: 1, lines };
}

function stackOf(thrown: unknown): string {
  return printable(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
}

function printable(text: string): string {
  return sanitise(redactSecrets(text));
}
