import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { enterRaw } from '../../../cli/prompt/raw-mode.ts';

test('what a terminal made of Enter and Ctrl-D before raw mode are these keys again, and nothing later is taken', async () => {
  const stdin = new PassThrough();
  stdin.write('früh\n\0');
  expect((await enterRaw(stdin)).toString()).toBe('früh\r\u0004');
  stdin.write('later\n');
  expect(String(stdin.read())).toBe('later\n');
  expect((await enterRaw(stdin)).length).toBe(0);
});
