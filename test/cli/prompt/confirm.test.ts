import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { agree } from '../../../cli/prompt/confirm.ts';

function asking(typedBefore: string) {
  const stdin = new PassThrough();
  const stderr = new PassThrough();
  stdin.write(typedBefore);
  const answer = agree('Pull it now?', { stdin, stderr }, new AbortController().signal);
  let shown = '';
  stderr.on('data', (part: Buffer) => (shown += String(part)));
  const isShown = () => expect.poll(() => shown, { timeout: 20_000 }).toContain('Pull it now? [Y/n]');
  return { stdin, answer, isShown };
}

test.each([
  ['\r', true],
  ['n\r', false],
])('what was typed before a question is for whoever reads next, and %j answers it', async (typed, agreed) => {
  const { stdin, answer, isShown } = asking('two\nlines\n');
  await isShown();
  stdin.write(typed);
  expect(await answer).toBe(agreed);
  expect(String(stdin.read())).toBe('two\rlines\r');
});
