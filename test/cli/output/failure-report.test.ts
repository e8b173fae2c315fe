import { CommanderError } from 'commander';
import { expect, test } from 'vitest';
import { EXIT_CODES } from '../../../cli/exit-codes.ts';
import { reportFailure } from '../../../cli/output/failure-report.ts';
import { failureFromBody } from '../../../src/api/http/failure.ts';
import { Interruption } from '../../../cli/prompt/interruption.ts';
import { FAILURES, Failure, type FailureCode } from '../../../src/base/errors.ts';

const quiet = { verbose: false };

test.each(Object.keys(FAILURES) as FailureCode[])('%s exits with a number that the help explains', (code) => {
  const { exitCode, lines } = reportFailure(new Failure(code, 'what and why'), quiet);
  expect(exitCode).toBe(FAILURES[code].exit);
  expect(EXIT_CODES[exitCode]).toBeDefined();
  expect(lines[0]).toBe('error: what and why');
});

test('a failure whose message names no command gets one', () => {
  const { lines } = reportFailure(new Failure('model_not_found', 'The model "x" does not exist.'), quiet);
  expect(lines).toEqual(['error: The model "x" does not exist.', 'fix: askd models']);
});

test('a command at the end of a message is on its own line', () => {
  const fix = 'askd pull svc-chat-v1';
  const failure = (message: string) =>
    reportFailure(new Failure('model_not_installed', message, { details: { fix } }), quiet).lines;
  expect(failure(`The model \`a.b\` is not installed (1.2 GB to download). Get it with: ${fix}`)).toEqual([
    'error: The model `a.b` is not installed (1.2 GB to download).',
    `fix: ${fix}`,
  ]);
  expect(failure(fix)).toEqual([`error: ${fix}`, `fix: ${fix}`]);
});

test('a command that the message already names is not repeated', () => {
  const { lines } = reportFailure(
    new Failure('model_not_installed', 'Not there: askd import FILE --id x'),
    quiet,
  );
  expect(lines).toHaveLength(1);
});

test('the fix for a rejected key is a command-line flag, not a header', () => {
  const message =
    'No API key was given. Send the header "Authorization: Bearer API_KEY"; create a key: askd keys create --name NAME';
  expect(reportFailure(new Failure('invalid_api_key', message), quiet).lines).toEqual([
    'error: No API key was given.',
    'fix: askd keys create --name NAME, then put the new key into ASKD_API_KEY',
  ]);
});

test('the specific fix takes precedence over the general one', () => {
  const failure = new Failure('not_found', 'No such key.', { details: { fix: 'askd keys list' } });
  expect(reportFailure(failure, quiet).lines[1]).toBe('fix: askd keys list');
});

test('the fix that a server names is shown, and cannot move the cursor', () => {
  const failure = failureFromBody(404, {
    error: { message: 'There is no download 7.', code: 'not_found', fix: 'askd pull --list\u001b[2J' },
  });
  expect(reportFailure(failure, quiet).lines).toEqual([
    'error: There is no download 7.',
    'fix: askd pull --list',
  ]);
});

test('a bug exits with 1 and shows its stack only on request', () => {
  const bug = new TypeError('x is not a function');
  expect(reportFailure(bug, quiet)).toMatchObject({
    exitCode: 1,
    lines: ['error: x is not a function', expect.stringContaining('--verbose')],
  });
  expect(reportFailure(bug, { verbose: true }).lines.join('\n')).toContain('failure-report.test.ts');
});

test('secrets and escapes do not reach the terminal', () => {
  const { lines } = reportFailure(new Failure('invalid_api_key', 'bad ask_abcdefgh12345 \u001b[2J'), quiet);
  expect(lines[0]).toBe('error: bad ask_[redacted] ');
});

test('an interruption says nothing and exits as the shell expects', () => {
  expect(reportFailure(new Interruption('SIGINT', 130), quiet)).toEqual({ exitCode: 130, lines: [] });
});

test('commander’s exit code for wrong usage becomes 2, and help stays 0', () => {
  expect(reportFailure(new CommanderError(1, 'commander.unknownOption', ''), quiet).exitCode).toBe(2);
  expect(reportFailure(new CommanderError(0, 'commander.helpDisplayed', ''), quiet).exitCode).toBe(0);
});
