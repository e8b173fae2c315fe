import { expect, test } from 'vitest';
import { passes, readEntry } from '../../../../daemon/console/web/screens/logs/entry.ts';

const line = (fields: object) => JSON.stringify({ time: '2026-01-31T12:00:00.000Z', ...fields });

test('a line of the log is read into its level, message and fields', () => {
  const text = line({
    level: 40,
    request_id: 'req_1',
    path: '/v1/models',
    status: 429,
    tried: { times: 2 },
    msg: 'request',
  });
  expect(readEntry(text, 7)).toEqual({
    number: 7,
    line: text,
    level: 'warn',
    time: '2026-01-31T12:00:00.000Z',
    message: 'request',
    fields: [
      ['path', '/v1/models'],
      ['status', '429'],
      ['tried', '{"times":2}'],
      ['request_id', 'req_1'],
    ],
    stack: undefined,
  });
});

test('an error shows its stack, or whatever else it has', () => {
  expect(readEntry(line({ level: 50, err: { stack: 'Error: boom\n  at run' } }), 0).stack).toBe(
    'Error: boom\n  at run',
  );
  expect(readEntry(line({ level: 50, err: { code: 'x' } }), 0).stack).toBe('{"code":"x"}');
});

test.each(['no JSON', '[1]', '"text"', '{"no":"level"}', ''])(
  'a line in another format is shown as it is: %s',
  (text) => {
    expect(readEntry(text, 0)).toMatchObject({ level: 'info', message: text, fields: [] });
  },
);

test('a filter keeps a level and those above it, and finds a text anywhere in the line', () => {
  const entry = readEntry(line({ level: 40, request_id: 'req_01ABC', msg: 'a runner ended' }), 0);
  expect(passes(entry, { level: 'trace', text: '' })).toBe(true);
  expect(passes(entry, { level: 'warn', text: 'RUNNER' })).toBe(true);
  expect(passes(entry, { level: 'warn', text: 'req_01abc' })).toBe(true);
  expect(passes(entry, { level: 'error', text: '' })).toBe(false);
  expect(passes(entry, { level: 'trace', text: 'req_02' })).toBe(false);
});
