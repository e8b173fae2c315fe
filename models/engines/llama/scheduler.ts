import type { LlamaContextSequence, Token } from 'node-llama-cpp';
import type { Drafting } from './drafting/drafting.ts';
import { advanceMarked, untilMark } from './marks.ts';
import { createPrefillPace, type Pieces } from './prefill-pace.ts';
import { choosePlace } from './prefix-choice.ts';
import { copyTokensOf, type SavedPrompts } from './prefix-copy.ts';
import type { Slot, Waiting, Work } from './slot.ts';
import { isBeingRead, takeOver, viewOf } from './take-over.ts';
import { createWriteShare } from './write-share.ts';

export type Scheduler = {
  /** Runs the work when a slot is free, in order of arrival. Settles once the work holds no slot any more. */
  run(work: Work): Promise<void>;
  /** Aborts what runs and what waits, and settles when nothing uses a sequence. */
  close(): Promise<void>;
};

export type SchedulerOptions = {
  sequences: readonly LlamaContextSequence[];
  /** Tokens of one native decode. */
  batchTokens: number;
  tileTokens: number;
  beforeStep: () => void;
  savedPrompts?: SavedPrompts | undefined;
  drafting?: Drafting | undefined;
};

/**
 * Runs requests in steps. In a step every request that writes generates a token, or a few where a piece of a prompt is
 * read after them.
 * node-llama-cpp puts what is asked within one turn of the event loop into one native decode. A step ends when all are
 * done, so batches never fall apart, and nobody waits for a request that ended.
 */
export function createScheduler(options: SchedulerOptions): Scheduler {
  const { sequences, batchTokens, tileTokens, beforeStep, savedPrompts, drafting } = options;
  const slots: Slot[] = sequences.map((sequence) => ({ sequence, lastUse: 0, job: undefined }));
  let waiting: Waiting[] = [];
  const pace = createPrefillPace({ batchTokens, tileTokens });
  const share = createWriteShare();
  const [first] = sequences;
  const copyTokens = first ? copyTokensOf(first) : Infinity;
  let hasCopied = false;
  let uses = 0;
  let closing = false;
  let loop: Promise<void> | undefined;

  async function runSteps(): Promise<void> {
    for (;;) {
      await admit();
      if (waiting.length === 0 && slots.every(({ job }) => !job)) break;
      if (slots.some(({ job }) => job?.generation)) await step();
    }
    // Set in the same turn as the last look at the queue, so that a request that comes now starts a new loop.
    loop = undefined;
  }

  async function admit(): Promise<void> {
    leaveAborted();
    do {
      while (mayAdmit()) place(waiting.shift() as Waiting);
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

  function place(one: Waiting): void {
    const choice = choosePlace(look(one.work.prompt), copyTokens);
    if (!choice) throw new Error('No slot is idle');
    const { slot } = choice.slot;
    slot.lastUse = ++uses;
    slot.job = { ...one, generation: undefined, isFollowing: false };
  }

  function look(prompt: readonly Token[]) {
    return slots.map((slot) => viewOf(slot, slots, prompt));
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
      const views = look(work.prompt);
      job.isFollowing = isBeingRead(job, { views, copyTokens, savedPrompts });
      if (job.isFollowing) return;
      hasCopied =
        (await takeOver(slot, {
          ...{ views, prompt: work.prompt },
          ...{ copyTokens, tileTokens, savedPrompts },
        })) || hasCopied;
      const cachedTokens = slot.sequence.nextTokenIndex;
      job.generation = work.begin(slot.sequence, cachedTokens);
    } catch (error) {
      work.fail(error);
      leave(slot);
    }
  }

  async function step(): Promise<void> {
    beforeStep();
    const left = slots.map(promptTokensOf);
    const isReading = left.some((tokens) => tokens > 0);
    if (!isReading) return writeDrafted();
    const isShared = slots.some(isWriting);
    const pieces = pace.plan(left, { isShared });
    if (isShared) await writeBeside(pieces);
    await read(pieces);
  }

  function isWriting(slot: Slot): boolean {
    return slot.job?.generation !== undefined && promptTokensOf(slot) === 0;
  }

  async function writeDrafted(): Promise<void> {
    const drafts = await drafting?.draft(slots.map(({ job }) => job?.generation));
    for (const { job } of slots) job?.work.spread?.(0, 1);
    await write(drafts?.of);
    drafts?.learn();
  }

  /** Without drafts: beside somebody who reads, a step is long enough. */
  async function writeBeside(pieces: Pieces): Promise<void> {
    const { steps, periodMs } = share.plan(pace.expectedMs(sumOf(pieces)));
    for (const { job } of slots.filter(isWriting)) job?.work.spread?.(periodMs, steps);
    for (let step = 0; step < steps && !mayAdmit() && slots.some(isWriting); step++) {
      const startedAt = performance.now();
      await write();
      share.observe(performance.now() - startedAt);
    }
  }

  async function write(drafts?: readonly (readonly Token[])[]): Promise<void> {
    const writers = slots.filter(isWriting);
    await Promise.all(writers.map((slot) => advance(slot, 0, drafts?.[slots.indexOf(slot)])));
  }

  /** Apart from those who write: llama.cpp would read the first token of each piece among theirs, and the rest after it. */
  async function read(pieces: Pieces): Promise<void> {
    const startedAt = performance.now();
    const shares = slots.map((slot, place) => ({ slot, tokens: pieces.get(place) ?? 0 }));
    const readers = shares.filter(({ tokens }) => tokens > 0);
    await Promise.all(readers.map(({ slot, tokens }) => advance(slot, tokens)));
    // llama.cpp copies within the next decode, which says nothing about how fast it reads.
    if (!hasCopied) pace.observe({ promptTokens: sumOf(pieces), ms: performance.now() - startedAt });
    hasCopied = false;
  }

  /** What it has to read next, before it writes or a place is marked. */
  function promptTokensOf({ job, sequence }: Slot): number {
    if (!job?.generation || isAborted(job)) return 0;
    const left = job.generation.promptTokensLeft();
    return untilMark(sequence, left) ?? left;
  }

  async function advance(slot: Slot, promptTokensMax = 0, draft: readonly Token[] = []): Promise<void> {
    const { job } = slot;
    if (!job?.generation) return;
    const { work, generation } = job;
    try {
      const reason = isAborted(job)
        ? 'abort'
        : await advanceMarked(slot.sequence, generation, { promptTokensMax, draft });
      const end = isAborted(job) ? 'abort' : reason;
      if (!end) return;
      generation.close();
      work.end(end, generation.completionTokens());
    } catch (error) {
      work.fail(error);
      // What the sequence holds is unknown now, so nothing of it may be used again.
      await slot.sequence.clearHistory().catch(() => {});
    }
    leave(slot);
  }

  function leave(slot: Slot): void {
    const { job } = slot;
    slot.job = undefined;
    job?.done();
  }

  return {
    run(work) {
      return new Promise((done) => {
        waiting.push({ work, done });
        loop ??= runSteps();
      });
    },
    async close() {
      closing = true;
      await loop;
    },
  };
}

const sumOf = (pieces: Pieces): number => [...pieces.values()].reduce((sum, tokens) => sum + tokens, 0);
