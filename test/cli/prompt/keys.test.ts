import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { openKeys } from '../../../cli/prompt/keys.ts';

function open() {
  const stdin = new PassThrough();
  return { stdin, keys: openKeys({ stdin: stdin }) };
}

test('an arrow is not an answer, and does not swallow keys that arrive with it', async () => {
  const { stdin, keys } = open();
  const next = keys.next();
  stdin.write('\u001b[Ax\u001bOBs\u001b[1;5Cm');
  expect([await next, await keys.next(), await keys.next()]).toEqual(['x', 's', 'm']);
  keys.close();
});

test('what was typed before the first question answers nothing', async () => {
  const { stdin, keys } = open();
  stdin.write('early');
  await new Promise((resolve) => setImmediate(resolve));
  const next = keys.next();
  stdin.write('\r');
  expect(await next).toBe('\r');
  keys.close();
});

test('Ctrl-C interrupts wherever it comes', async () => {
  const { stdin, keys } = open();
  stdin.write('abc\u0003');
  await expect(keys.interrupted).rejects.toMatchObject({ exitCode: 130 });
  keys.close();
});
