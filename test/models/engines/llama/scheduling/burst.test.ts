import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { waitMsLeft } from '../../../../../models/engines/llama/scheduling/burst.ts';
import type { Slot } from '../../../../../models/engines/llama/scheduling/slot.ts';
import { createSteps } from '../../../../../models/engines/llama/scheduling/steps.ts';

const SLOTS = 8;
const PREFILL_MS_PER_TOKEN = 1;
/** A decode with few requests costs nearly as much as a full one. */
const decodeMs = (requests: number) => 40 + 2 * requests;

type Request = { atMs: number; promptTokens: number; answerTokens: number };
type Running = Request & { promptLeft: number; arrivalsMs: number[] };

/** What the scheduler would do with these requests if the machine took these times, on a simulated clock. */
async function simulate(requests: readonly Request[], burstMs?: number): Promise<Running[]> {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const startedAt = performance.now();
  const nowMs = () => performance.now() - startedAt;
  const queue: Running[] = requests.map((one) => ({ ...one, promptLeft: one.promptTokens, arrivalsMs: [] }));
  const ended: Running[] = [];
  const running = new Map<Slot, Running>();
  const slots = Array.from({ length: SLOTS }, () => ({ job: undefined }) as unknown as Slot);
  let batch: { decoding: number; prefilling: number } | undefined;

  /** Everything in one turn shares a native decode. */
  async function advance(slot: Slot, promptTokensMax: number): Promise<void> {
    const one = running.get(slot)!;
    const tokens = Math.min(one.promptLeft, promptTokensMax);
    const isFirst = batch === undefined;
    batch ??= { decoding: 0, prefilling: 0 };
    batch.prefilling += tokens;
    if (one.promptLeft === 0) batch.decoding += 1;
    await Promise.resolve();
    if (isFirst) {
      const { decoding, prefilling } = batch;
      batch = undefined;
      vi.advanceTimersByTime(prefilling * PREFILL_MS_PER_TOKEN + (decoding > 0 ? decodeMs(decoding) : 0));
    }
    one.promptLeft -= tokens;
    if (one.promptLeft > 0) return;
    one.arrivalsMs.push(nowMs());
    if (one.arrivalsMs.length < one.answerTokens) return;
    ended.push(one);
    running.delete(slot);
    slot.job = undefined;
  }

  const isDue = () => (queue[0]?.atMs ?? Infinity) <= nowMs();
  const mayAdmit = () => isDue() && slots.some(({ job }) => !job);
  const steps = createSteps({
    ...{ slots, batchTokens: 512, tileTokens: 64, drafting: undefined, advance, mayAdmit },
    ...(burstMs !== undefined && { burstMs }),
    promptTokensOf: (slot) => running.get(slot)?.promptLeft ?? 0,
  });
  while (queue.length > 0 || running.size > 0) {
    for (const slot of slots.filter(({ job }) => !job)) {
      const next = isDue() ? queue.shift() : undefined;
      if (!next) break;
      running.set(slot, next);
      slot.job = { work: {}, generation: {}, arrivedAtMs: startedAt + next.atMs } as unknown as Slot['job'];
    }
    if (running.size > 0) await steps.run();
    else vi.advanceTimersByTime(1);
  }
  return ended;
}

const endMs = (requests: readonly Running[]) =>
  Math.max(...requests.map(({ arrivalsMs }) => arrivalsMs.at(-1)!));
const firstMs = (requests: readonly Running[]) =>
  Math.min(...requests.map(({ arrivalsMs }) => arrivalsMs[0]!));
const burst = (count: number, atMs = 0, promptTokens = 200): Request[] =>
  Array.from({ length: count }, () => ({ atMs, promptTokens, answerTokens: 16 }));
const longestGapMs = ({ arrivalsMs }: Running) =>
  Math.max(...arrivalsMs.slice(1).map((at, index) => at - arrivalsMs[index]!));

describe('requests that come at once', () => {
  test.each([8, 20])(
    '%d of them finish sooner, and the first token of the first is as early',
    async (count) => {
      const before = await simulate(burst(count), 0);
      const after = await simulate(burst(count));
      expect(endMs(after)).toBeLessThan(0.95 * endMs(before));
      expect(firstMs(after)).toBeLessThanOrEqual(firstMs(before));
    },
  );

  test('those that arrive while the first is prefilled belong to its burst', async () => {
    const together = await simulate(burst(8, 0, 40));
    const after = await simulate([...burst(1, 0, 40), ...burst(7, 1, 40)]);
    expect(endMs(after)).toBeLessThanOrEqual(endMs(together) + 1);
    // Once all prompts are prefilled, every step makes a token for each of them.
    expect(new Set(after.map(({ arrivalsMs }) => arrivalsMs[1])).size).toBe(1);
  });

  test('no request waits longer than the bound for another one, which may be long', async () => {
    const requests = [...burst(1), { atMs: 0, promptTokens: 6000, answerTokens: 16 }];
    const [short] = await simulate(requests);
    // A piece of a prompt takes up to half a second.
    expect(longestGapMs(short!)).toBeLessThanOrEqual(1500 + 512);
    expect(endMs([short!])).toBeLessThan(6000);
  });
});

describe('an established stream', () => {
  const stream = { atMs: 0, promptTokens: 64, answerTokens: 400 };

  test('keeps its share while a burst is prefilled', async () => {
    for (const burstMs of [0, undefined]) {
      const requests = await simulate([stream, ...burst(7, 3000)], burstMs);
      const own = requests.find(({ answerTokens }) => answerTokens === 400)!;
      const others = requests.filter((one) => one !== own);
      const prefilled = Math.max(...others.map(({ arrivalsMs }) => arrivalsMs[0]!));
      const during = own.arrivalsMs.filter((at) => at >= 3000 && at <= prefilled).length;
      expect((during * decodeMs(1)) / (prefilled - 3000)).toBeGreaterThan(0.15);
      expect(longestGapMs(own)).toBeLessThan(400);
    }
  });

  test('makes no difference to requests that trickle in', async () => {
    const trickle = Array.from({ length: 12 }, (_, place) => burst(1, 700 * place)).flat();
    const [before, after] = [await simulate(trickle, 0), await simulate(trickle)];
    expect(endMs(after)).toBeLessThanOrEqual(1.02 * endMs(before));
  });
});

describe('decoding may wait', () => {
  const prefilling = (arrivedAtMs: number) => ({ arrivedAtMs, decodingSinceMs: undefined });
  const decoding = (decodingSinceMs: number) => ({ arrivedAtMs: 0, decodingSinceMs });
  test.each([
    ['for those that arrived before the first token', [decoding(100), prefilling(50)], 1000, 600],
    ['not for those that came after it', [decoding(100), prefilling(150)], 1000, 0],
    ['not longer than the bound', [decoding(100), prefilling(50)], 1600, 0],
    ['not where one of them is established', [decoding(900), decoding(10), prefilling(50)], 1000, 0],
  ])('%s', (_, running, nowMs, left) => {
    expect(waitMsLeft(running, nowMs)).toBe(left);
  });
});
