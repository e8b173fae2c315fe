import type { LlamaContextSequence, Token } from 'node-llama-cpp';
import type { EndReason } from '../../../src/runtime/engine.ts';
import type { Drafting } from './drafting/drafting.ts';
import type { Generation } from './generation.ts';
import { createPrefillPace, tokensToKeep } from './prefill-pace.ts';
import { choosePlace, sourceFor } from './prefix-choice.ts';
import { copyPrefix, copyTokensOf, COPY_TOKENS_MIN, type SavedPrompts } from './prefix-copy.ts';

/** A request as the scheduler sees it. Exactly one of `end` and `fail` is called, once. */
export type Work = {
  prompt: readonly Token[];
  signal: AbortSignal;
  begin(sequence: LlamaContextSequence, cachedTokens: number): Generation;
  end(reason: EndReason, completionTokens: number): void;
  fail(error: unknown): void;
};

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

type Slot = { sequence: LlamaContextSequence; lastUse: number; job: Job | undefined };
type Waiting = { work: Work; done: () => void };
/** Before it begins, it may wait for another request to read what both begin with. */
type Job = Waiting & { generation: Generation | undefined; isFollowing: boolean };

/**
 * Runs requests in steps. In a step every request that writes generates a token, and then a piece of a prompt is read.
 * node-llama-cpp puts what is asked within one turn of the event loop into one native decode. A step ends when all are
 * done, so batches never fall apart, and nobody waits for a request that ended.
 */
export function createScheduler(options: SchedulerOptions): Scheduler {
  const { sequences, batchTokens, tileTokens, beforeStep, savedPrompts, drafting } = options;
  const slots: Slot[] = sequences.map((sequence) => ({ sequence, lastUse: 0, job: undefined }));
  let waiting: Waiting[] = [];
  const pace = createPrefillPace({ batchTokens, tileTokens });
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
      while (waiting.length > 0 && slots.some(({ job }) => !job)) place(waiting.shift() as Waiting);
      for (const slot of slots) if (slot.job?.generation === undefined) await begin(slot);
    } while (waiting.length > 0 && slots.some(({ job }) => !job));
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
    return slots.map((slot) => describe(slot, slots, prompt));
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
      job.isFollowing = isBeingRead(job);
      if (job.isFollowing) return;
      hasCopied =
        (await takeOver(slot, {
          ...{ views: look(work.prompt), prompt: work.prompt },
          ...{ copyTokens, tileTokens, savedPrompts },
        })) || hasCopied;
      const cachedTokens = slot.sequence.nextTokenIndex;
      job.generation = work.begin(slot.sequence, cachedTokens);
    } catch (error) {
      work.fail(error);
      leave(slot);
    }
  }

  /** Whether somebody reads what it begins with too: that is read once, and copied then. */
  function isBeingRead({ work, isFollowing }: Job): boolean {
    const views = look(work.prompt);
    const saved = savedPrompts?.find(work.prompt)?.tokens ?? 0;
    const held = Math.max(saved, ...views.map(({ sharedTokens }) => sharedTokens));
    const readers = views.filter(({ slot }) => slot.job?.generation);
    const coming = Math.max(0, ...readers.map(({ comingTokens }) => comingTokens));
    return coming - held > (isFollowing ? 0 : copyTokens);
  }

  async function step(): Promise<void> {
    beforeStep();
    const isReading = slots.some((slot) => promptTokensOf(slot) > 0);
    // Beside somebody who reads, a step is long enough.
    const drafts = isReading ? undefined : await drafting?.draft(slots.map(({ job }) => job?.generation));
    const writing = slots.filter((slot) => slot.job?.generation && promptTokensOf(slot) === 0);
    await Promise.all(writing.map((slot) => advance(slot, 0, drafts?.of[slots.indexOf(slot)])));
    drafts?.learn();
    if (isReading) await read({ isShared: writing.length > 0 });
  }

  /** Apart from those who write: llama.cpp would read the first token of each piece among theirs, and the rest after it. */
  async function read({ isShared }: { isShared: boolean }): Promise<void> {
    const pieces = pace.plan(slots.map(promptTokensOf), { isShared });
    const startedAt = performance.now();
    const shares = slots.map((slot, place) => ({ slot, tokens: pieces.get(place) ?? 0 }));
    const readers = shares.filter(({ tokens }) => tokens > 0);
    await Promise.all(readers.map(({ slot, tokens }) => advance(slot, tokens)));
    const promptTokens = [...pieces.values()].reduce((sum, tokens) => sum + tokens, 0);
    // llama.cpp copies within the next decode, which says nothing about how fast it reads.
    if (!hasCopied) pace.observe({ promptTokens, ms: performance.now() - startedAt });
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

/** So many tokens before the end of a prompt a next turn still begins the same, whatever the template adds for an answer. */
const MARK_TOKENS = 16;

/** Some models can not go back to where another turn begins, but for a place that was marked when they were there. */
async function advanceMarked(
  sequence: LlamaContextSequence,
  generation: Generation,
  { promptTokensMax, draft }: { promptTokensMax: number; draft: readonly Token[] },
): Promise<EndReason | undefined> {
  const marked = untilMark(sequence, generation.promptTokensLeft());
  if (marked === undefined) return generation.advance(promptTokensMax, draft);
  const reason = await generation.advance(Math.min(promptTokensMax, marked));
  if (generation.promptTokensLeft() === MARK_TOKENS) await sequence.takeCheckpoint();
  return reason;
}

/** How many tokens lie before the mark, where there is to be one. */
function untilMark(sequence: LlamaContextSequence, promptTokens: number): number | undefined {
  const tokens = promptTokens - MARK_TOKENS;
  return sequence.needsCheckpoints && tokens > 0 ? tokens : undefined;
}

type Beginnings = {
  views: readonly ReturnType<typeof describe>[];
  prompt: readonly Token[];
  copyTokens: number;
  tileTokens: number;
  savedPrompts: SavedPrompts | undefined;
};

/** Leaves in the sequence what the prompt begins with, or brings it there from where most of it is; true for a copy. */
async function takeOver({ sequence }: Slot, beginnings: Beginnings): Promise<boolean> {
  const { prompt, copyTokens, tileTokens, savedPrompts } = beginnings;
  const views = beginnings.views.map((view) => ({ ...view, comingTokens: 0 }));
  const own = views.find(({ slot }) => slot.sequence === sequence);
  const source = own && sourceFor(own, views, copyTokens);
  // At least the last token is evaluated, because its result is the first generated one.
  const wanted = prompt.slice(0, -1);
  const saved = savedPrompts?.find(wanted);
  const held = Math.max(own?.sharedTokens ?? 0, source?.sharedTokens ?? 0);
  const isOnDisk = saved !== undefined && saved.tokens - held > COPY_TOKENS_MIN;
  if (isOnDisk) await saved.load(sequence);
  else if (source) await copyPrefix(sequence, source.slot.sequence, source.sharedTokens);
  await sequence.adaptStateToTokens(wanted, false);
  if (!sequence.needsCheckpoints) await readAgain(sequence, prompt.length, tileTokens);
  return !isOnDisk && source !== undefined;
}

/** Forgets what is read faster together with the rest. */
async function readAgain(sequence: LlamaContextSequence, promptTokens: number, tileTokens: number) {
  const held = sequence.nextTokenIndex;
  const start = tokensToKeep({ tokens: promptTokens, held }, tileTokens);
  if (start < held) await sequence.eraseContextTokenRanges([{ start, end: held }]);
}

function describe(slot: Slot, slots: readonly Slot[], prompt: readonly Token[]) {
  const { sequence, lastUse, job } = slot;
  const place = slots.indexOf(slot);
  const shared = sequence.compareContextTokens(prompt as Token[]).firstDifferentIndex;
  // The last token of a prompt is read in any case.
  const sharedTokens = Math.min(shared, prompt.length - 1);
  return {
    slot,
    isBusy: job !== undefined,
    lastUse,
    heldTokens: sequence.nextTokenIndex,
    sharedTokens,
    comingTokens: job ? Math.max(sharedTokens, commonLength(job.work.prompt, prompt)) : 0,
    busyNeighbours: [slots[place - 1], slots[place + 1]].filter((neighbour) => neighbour?.job).length,
  };
}

/** Without the last token of either, which is read together with what comes of it. */
function commonLength(a: readonly Token[], b: readonly Token[]): number {
  const length = Math.min(a.length, b.length) - 1;
  for (let index = 0; index < length; index++) if (a[index] !== b[index]) return index;
  return Math.max(0, length);
}
