import { expect, onTestFinished, test, vi } from 'vitest';
import type { LlamaContextSequence, LlamaModel, Token } from 'node-llama-cpp';
import { openBackend } from '../../../../../models/engines/llama/loading/backend.ts';
import { createGeneration } from '../../../../../models/engines/llama/generation/generation.ts';
import { openContext, openModel } from '../../../../../models/engines/llama/loading/load-model.ts';
import { createScheduler } from '../../../../../models/engines/llama/scheduling/scheduler.ts';
import { createCharacterGuards } from '../../../../../models/engines/llama/sampling/logit-bias.ts';
import { createTokenDecoder } from '../../../../../models/engines/llama/generation/token-decoder.ts';
import { endlessModel } from '../../../../helpers/models/models.ts';
import { chatRequest, never } from '../../../chats.ts';

const BATCH_TOKENS = 64;
const TILE_TOKENS = 16;
const CONTEXT_TOKENS = 1024;

type Native = { initBatch: (tokens: number | undefined) => void; decodeBatch: () => Promise<void> };

/** How long a decode of this many tokens takes, as the scheduler sees it. */
type TakesMs = (tokens: number) => number;

type Options = { tileTokens?: number; takesMs?: TakesMs; burstMs?: number; onDecode?: () => void };

/** A scheduler over a real context whose native decodes are counted, and timed as the test says. */
async function openScheduler(
  slots: number,
  { tileTokens = TILE_TOKENS, takesMs, burstMs, onDecode }: Options = {},
) {
  const { path } = await endlessModel();
  const signal = never();
  const model = await openModel({
    backend: await openBackend(),
    path,
    contextTokensTotal: CONTEXT_TOKENS * slots,
    onProgress: undefined,
    signal,
  });
  const options = { model, slots, contextTokens: CONTEXT_TOKENS, batchTokens: BATCH_TOKENS, threads: 1 };
  const context = await openContext({ ...options, signal });
  const native = (context as unknown as { _ctx: Native })._ctx;
  const [begin, decode] = [native.initBatch.bind(native), native.decodeBatch.bind(native)];
  /** How many tokens each decode had. */
  const sizes: number[] = [];
  const spreads: { ms: number; tokens: number }[] = [];
  const cached: number[] = [];
  Object.defineProperties(native, {
    initBatch: { value: (tokens: number) => begin(sizes[sizes.push(tokens) - 1]) },
    decodeBatch: {
      async value() {
        await decode();
        onDecode?.();
        if (takesMs) vi.advanceTimersByTime(takesMs(sizes.at(-1) ?? 0));
      },
    },
  });
  const sequences = Array.from({ length: slots }, () => context.getSequence());
  const scheduler = createScheduler({
    sequences,
    batchTokens: BATCH_TOKENS,
    tileTokens,
    burstMs,
    beforeStep: () => {},
  });

  function run(promptTokens: number, maxTokens: number, isInBackground = false): Promise<number> {
    const prompt = Array.from({ length: promptTokens }, (_, index) => (index % 200) as Token);
    return new Promise((resolve, reject) => {
      void scheduler.run({
        prompt,
        isInBackground,
        signal,
        begin(sequence: LlamaContextSequence, cachedTokens) {
          cached.push(cachedTokens);
          return createGeneration({
            ...{ model, sequence, prompt, cachedTokens, contextTokens: CONTEXT_TOKENS },
            ...plainAnswer(model),
            request: chatRequest({ maxTokens }),
            emit: () => {},
          });
        },
        pacing: (ms, tokens) => void spreads.push({ ms, tokens }),
        end: (_, completionTokens) => resolve(completionTokens),
        fail: reject,
      });
    });
  }

  return {
    run,
    cached,
    sizes,
    spreads,
    decodes: () => sizes.length,
    async [Symbol.asyncDispose]() {
      await scheduler.close();
      await model.dispose();
    },
  };
}

/** Plain text, without constraints. */
function plainAnswer(model: LlamaModel) {
  const decoder = createTokenDecoder(model);
  const plan = { suffix: '', thinking: undefined, thoughtTokensMax: 0, calls: undefined, grammar: undefined };
  return {
    plan: { ...plan, callGrammar: () => '' },
    grammar: undefined,
    logitBias: [],
    createGuard: createCharacterGuards(model, decoder, 0),
    decoder,
    tally: { completionTokens: 0 },
    choice: 0,
  };
}

test.each([1, 4])('%d requests get a token each from every native decode', async (count) => {
  await using scheduler = await openScheduler(4);
  const lengths = Array.from({ length: count }, () => scheduler.run(4, 60));
  expect(await Promise.all(lengths)).toEqual(lengths.map(() => 60));
  expect(scheduler.decodes()).toBe(60);
});

test('between two pieces of a prompt, every decoding request makes a token', async () => {
  await using scheduler = await openScheduler(3);
  const decodesOfWriters = 80;
  const pieces = Math.ceil(300 / BATCH_TOKENS);
  await Promise.all([scheduler.run(4, 80), scheduler.run(5, 80), scheduler.run(300, 1)]);
  expect(scheduler.decodes()).toBeGreaterThanOrEqual(decodesOfWriters + pieces);
  expect(scheduler.decodes()).toBeLessThanOrEqual(decodesOfWriters + Math.ceil(300 / TILE_TOKENS) + 1);
});

test('if a piece of a prompt takes long, several tokens are decoded before the next, and released until then', async () => {
  const [readMs, writeMs] = [300, 10];
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const takesMs: TakesMs = (tokens) => (tokens >= 64 ? readMs : writeMs);
  await using scheduler = await openScheduler(2, { tileTokens: 64, takesMs });
  const writer = scheduler.run(4, 400);
  await scheduler.run(640, 1);
  const [first, last] = [scheduler.sizes.indexOf(64), scheduler.sizes.lastIndexOf(64)];
  const during = scheduler.sizes.slice(first, last);
  const pieces = during.filter((tokens) => tokens === 64).length;
  expect(pieces).toBe(9);
  expect(during.length - pieces).toBeGreaterThan(2 * pieces);
  const spread = scheduler.spreads.filter(({ ms }) => ms > 0);
  expect(spread.every(({ ms, tokens }) => ms > readMs && tokens >= 1)).toBe(true);
  await writer;
});

test('requests that arrive while the first is prefilled are of the same burst, which is decoded together', async () => {
  let others: Promise<number>[] | undefined;
  const onDecode = () => {
    others ??= [scheduler.run(9, 20), scheduler.run(10, 20)];
  };
  await using scheduler = await openScheduler(3, { onDecode, burstMs: 60_000 });
  await scheduler.run(8, 20);
  await Promise.all(others ?? []);
  const together = Array.from({ length: 19 }, () => 3);
  expect(scheduler.sizes).toEqual([8, 9 + 10, ...together]);
});

test('a request that nobody waits for pauses while another is answered, then continues', async () => {
  await using scheduler = await openScheduler(2);
  const behind = scheduler.run(4, 100, true);
  expect(await scheduler.run(5, 60)).toBe(60);
  expect(scheduler.decodes()).toBe(60);
  expect(await behind).toBe(100);
  expect(scheduler.decodes()).toBe(160);
});

test('waiting requests start with the decode after a slot is free', async () => {
  await using scheduler = await openScheduler(2);
  await Promise.all(Array.from({ length: 6 }, () => scheduler.run(4, 20)));
  expect(scheduler.decodes()).toBe(60);
});

test('a request that arrives at the very moment when the last one ends is served', async () => {
  await using scheduler = await openScheduler(1);
  for (let moments = 0; moments < 12; moments++) {
    const ended = scheduler.run(4, 1);
    await ended;
    for (let moment = 0; moment < moments; moment++) await Promise.resolve();
    expect(await scheduler.run(4, 2)).toBe(2);
  }
});

test('a remainder smaller than a tile after a long prefix is prefilled with some of that prefix', async () => {
  await using scheduler = await openScheduler(1, { tileTokens: 64 });
  for (const promptTokens of [600, 640, 650]) await scheduler.run(promptTokens, 1);
  expect(scheduler.cached).toEqual([0, 640 - 64, 640]);
});
