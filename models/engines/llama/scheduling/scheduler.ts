import type { LlamaContextSequence } from 'node-llama-cpp';
import type { PromptCacheCounts } from '../../../../src/config/prompt-cache.ts';
import type { Speculative } from '../speculative/speculative.ts';
import { chooseSlot } from '../prefix-cache/choose-slot.ts';
import { copyTokensOf, type SavedPrompts } from '../prefix-cache/prefix-copy.ts';
import { createPromptKeeper } from '../prefix-cache/prompt-keeper.ts';
import { createAdvancing } from './advancing.ts';
import type { OneTokenDecode } from './one-token-decode.ts';
import type { Slot, Waiting, Work } from './slot.ts';
import { createSteps } from './steps.ts';
import { isBeingPrefilled, reusePrefix, viewOf } from '../prefix-cache/prefix-reuse.ts';

export type Scheduler = {
  /** Runs the work when a slot is free, in order of arrival. Settles once the work has released its slot. */
  run(work: Work): Promise<void>;
  /** Aborts running and queued work, and settles when no sequence is in use and nothing is cached. */
  close(): Promise<void>;
  /** How much memory earlier prompts may take, from now on. */
  limitPromptCache: (bytes: number) => void;
  promptCache: () => PromptCacheCounts;
};

export type SchedulerOptions = {
  sequences: readonly LlamaContextSequence[];
  /** Tokens of one native decode. */
  batchTokens: number;
  tileTokens: number;
  beforeStep: () => void;
  /** Nothing is running or queued any more. */
  onRest?: () => void;
  savedPrompts?: SavedPrompts | undefined;
  /** For the prompt cache; 0 if absent. */
  promptCacheBytes?: number | undefined;
  drafting?: Speculative | undefined;
  /** For steps that need no more than one token of each sequence. */
  oneTokenDecode?: OneTokenDecode | undefined;
  /** How long requests of one burst wait for each other. */
  burstMs?: number | undefined;
};

/**
 * Continuous batching in steps. node-llama-cpp merges everything requested within one turn of the event loop into one
 * native decode. A step ends when all of its work is done, so batches stay together, and nothing waits for a request
 * that has ended.
 */
export function createScheduler(options: SchedulerOptions): Scheduler {
  const { sequences, batchTokens, tileTokens, beforeStep, onRest, savedPrompts, drafting } = options;
  const slots: Slot[] = sequences.map((sequence) => ({
    ...{ sequence, content: undefined, lastUse: 0, job: undefined },
  }));
  let waiting: Waiting[] = [];
  const steps = createSteps({
    ...{ slots, batchTokens, tileTokens, drafting, burstMs: options.burstMs },
    ...createAdvancing({ oneTokenDecode: options.oneTokenDecode, isAborted, forget, leave }),
    mayAdmit,
  });
  const promptKeeper = createPromptKeeper({
    ...{ bytesMax: options.promptCacheBytes ?? 0, slots, prefillMs: steps.prefillMs },
  });
  const [first] = sequences;
  const copyTokens = first ? copyTokensOf(first) : Infinity;
  let uses = 0;
  let closing = false;
  let loop: Promise<void> | undefined;

  async function runSteps(): Promise<void> {
    for (;;) {
      await admit();
      if (waiting.length === 0 && slots.every(({ job }) => !job)) break;
      if (!slots.some(({ job }) => job?.generation)) continue;
      beforeStep();
      await steps.run();
    }
    // Set in the same turn as the last look at the queue, so that a request that arrives now starts a new loop.
    loop = undefined;
    onRest?.();
  }

  async function admit(): Promise<void> {
    leaveAborted();
    do {
      while (mayAdmit()) assign(waiting.shift() as Waiting);
      for (const slot of slots) if (slot.job?.generation === undefined) await begin(slot);
    } while (mayAdmit());
  }

  function mayAdmit(): boolean {
    return waiting.length > 0 && slots.some(({ job }) => !job);
  }

  function leaveAborted(): void {
    for (const { work, done } of waiting.filter(isAborted)) {
      work.end('abort', 0);
      done();
    }
    waiting = waiting.filter((one) => !isAborted(one));
  }

  function isAborted({ work }: Waiting): boolean {
    return closing || work.signal.aborted;
  }

  function assign(one: Waiting): void {
    const choice = chooseSlot(look(one.work), copyTokens);
    if (!choice) throw new Error('No slot is idle');
    const { slot } = choice.slot;
    slot.lastUse = ++uses;
    slot.job = {
      ...one,
      ...{ generation: undefined, waitsForPrefix: false, decodingSinceMs: undefined },
    };
  }

  function look(work: Work) {
    return slots.map((slot) => viewOf(slot, slots, work));
  }

  async function begin(slot: Slot): Promise<void> {
    const { job } = slot;
    if (!job) return;
    const { work } = job;
    try {
      if (isAborted(job)) {
        work.end('abort', 0);
        return leave(slot);
      }
      const prefixes = { views: look(work), copyTokens, savedPrompts, promptKeeper };
      job.waitsForPrefix = isBeingPrefilled(job, prefixes);
      if (job.waitsForPrefix) return;
      if (await reusePrefix(slot, work, { ...prefixes, tileTokens })) steps.noteCopy();
      const cachedTokens = slot.sequence.nextTokenIndex;
      job.generation = work.begin(slot.sequence, cachedTokens);
    } catch (error) {
      work.fail(error);
      await forget(slot);
      leave(slot);
    }
  }

  /** The content of the sequence is unknown now, so none of it may be reused. */
  async function forget(slot: Slot): Promise<void> {
    slot.content = undefined;
    await slot.sequence.clearHistory().catch(() => {});
  }

  function leave(slot: Slot): void {
    const { job } = slot;
    slot.job = undefined;
    job?.done();
  }

  return {
    run(work) {
      return new Promise((done) => {
        waiting.push({ work, done, arrivedAtMs: performance.now() });
        loop ??= runSteps();
      });
    },
    async close() {
      closing = true;
      await loop;
      promptKeeper.clear();
    },
    limitPromptCache: promptKeeper.limit,
    promptCache: promptKeeper.counts,
  };
}
