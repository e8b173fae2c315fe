import { describe, expect, test } from 'vitest';
import { ANSWER, troubledDaemon } from '../../helpers/daemon/test-key.ts';

const SPEED = 20;
const usage = { stream_options: { include_usage: true } };
const tokensIn = (text: string) => Number(/"completion_tokens":(\d+)/.exec(text)?.[1]);
const piecesIn = (text: string) => text.match(/"content":"[^"]/g)?.length ?? 0;

describe('an answer has the requested speed', { timeout: 240_000 }, () => {
  test('as a stream, however fast its model is', async () => {
    const { ask } = await troubledDaemon();
    await ask(undefined);
    const beganAt = performance.now();
    const text = await (await ask(`tokens-per-second=${SPEED}`, { stream: true, ...usage })).text();
    const tookMs = performance.now() - beganAt;
    expect(tokensIn(text)).toBeGreaterThan(5);
    // The last token ends the answer and has no text.
    expect(piecesIn(text)).toBeGreaterThanOrEqual(tokensIn(text) - 1);
    expect(tookMs).toBeGreaterThan(((piecesIn(text) - 1) * 1000 * 0.95) / SPEED);
  });

  test('in one piece', async () => {
    const { ask } = await troubledDaemon();
    const beganAt = performance.now();
    const text = await (await ask(`tokens-per-second=${SPEED}`)).text();
    expect(text).toContain(ANSWER);
    expect(performance.now() - beganAt).toBeGreaterThan((tokensIn(text) * 1000 * 0.95) / SPEED);
  });
});

test('a stream is cut after the requested number of tokens', { timeout: 240_000 }, async () => {
  const { ask } = await troubledDaemon();
  const response = await ask('cut-after=3; token-delay=50ms', { stream: true });
  let text = '';
  const decoder = new TextDecoder();
  const read = async () => {
    for await (const part of response.body as AsyncIterable<Uint8Array>)
      text += decoder.decode(part, { stream: true });
  };
  await expect(read()).rejects.toThrow();
  expect(piecesIn(text)).toBe(3);
});
