import { expect, test } from 'vitest';
import { formatLogEntry, levelNumber, parseLogLine } from '../../../../cli/daemon-control/logs/line.ts';

test('a log line shows time, level and message, then its own fields', () => {
  const entry = parseLogLine(
    '{"level":30,"time":"2026-01-31T12:00:00.123Z","ms":7,"path":"/v1/x y","msg":"request"}',
  );
  expect(entry && formatLogEntry(entry)).toMatch(
    /^2026-\d\d-\d\d \d\d:\d\d:00\.123 {2}info {3}request {2}ms=7 {2}path="\/v1\/x y"$/,
  );
});

test('the stack of an error stands below its line', () => {
  const text = formatLogEntry({
    level: 50,
    msg: 'failed',
    err: { message: 'no', stack: 'Error: no\n  at x' },
  });
  expect(text).toBe('-  error  failed\n    Error: no\n      at x');
});

test('logged text cannot control the terminal', () => {
  expect(formatLogEntry({ level: 30, msg: 'a\u001b[2Jb', err: { stack: '\u001b]0;t\u0007x' } })).toBe(
    '-  info   ab\n    x',
  );
});

test('a line that is not an entry is marked as such', () => {
  for (const line of ['', 'Segmentation fault', '[]', '{"msg":"no level"}', 'null'])
    expect(parseLogLine(line)).toBeUndefined();
});

test('levels have the numbers that the log uses', () => {
  expect([levelNumber('trace'), levelNumber('warn'), levelNumber('fatal')]).toEqual([10, 40, 60]);
});
