import { expect, onTestFinished, test, vi } from 'vitest';
import type { Slot } from '../../../../../models/engines/llama/scheduling/slot.ts';
import { createSteps } from '../../../../../models/engines/llama/scheduling/steps.ts';

const PREFILL_MS_PER_TOKEN = 4;
const DECODE_MS = 40;

/** How many tokens of a long prompt a step prefills beside these prompts, once the speed is known. */
async function pieceBeside(others: readonly { left: number; decodingSinceMs?: number }[]): Promise<number> {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const left = [6400, ...others.map((other) => other.left)];
  const jobs = [{}, ...others].map((other) => ({ work: {}, generation: {}, arrivedAtMs: 0, ...other }));
  const slots = jobs.map((job) => ({ job }) as unknown as Slot);
  let piece = 0;
  const steps = createSteps({
    ...{ slots, batchTokens: 512, tileTokens: 64, drafting: undefined, mayAdmit: () => false },
    promptTokensOf: (slot) => left[slots.indexOf(slot)] ?? 0,
    advance(slot, promptTokensMax) {
      vi.advanceTimersByTime(promptTokensMax > 0 ? promptTokensMax * PREFILL_MS_PER_TOKEN : DECODE_MS);
      left[slots.indexOf(slot)]! -= promptTokensMax;
      if (slot === slots[0]) piece = promptTokensMax;
      return Promise.resolve();
    },
  });
  await steps.run();
  await steps.run();
  return piece;
}

test('a prompt that nobody else waits for is prefilled for a second in a step', async () => {
  expect(await pieceBeside([])).toBe(256);
});

test('a prompt that others wait for is prefilled for half a second', async () => {
  expect(await pieceBeside([{ left: 12_800 }])).toBe(128);
});

test('a slow prompt beside a stream is prefilled a tile at a time', async () => {
  expect(await pieceBeside([{ left: 0, decodingSinceMs: -1 }])).toBe(64);
});
