import type { LlamaContextSequence, Token } from 'node-llama-cpp';
import type { EndReason } from '../../../src/runtime/engine.ts';
import type { Generation } from './generation.ts';
import { createPrefillPace } from './prefill-pace.ts';
import { chooseSlot } from './prefix-choice.ts';

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
  beforeStep: () => void;
};

type Slot = { sequence: LlamaContextSequence; lastUse: number; job: Job | undefined };
type Waiting = { work: Work; done: () => void };
type Job = Waiting & { generation: Generation };

/**
 * Runs requests in steps. In a step every running request does one thing at the same time, reading a piece of its prompt
 * or generating a token, and node-llama-cpp puts what is asked within one turn of the event loop into one native decode.
 * A step ends when all are done, so batches never fall apart, and nobody waits for a request that ended.
 */
export function createScheduler({ sequences, batchTokens, beforeStep }: SchedulerOptions): Scheduler {
  const slots: Slot[] = sequences.map((sequence) => ({ sequence, lastUse: 0, job: undefined }));
  let waiting: Waiting[] = [];
  const pace = createPrefillPace(batchTokens);
  let uses = 0;
  let closing = false;
  let loop: Promise<void> | undefined;

  async function runSteps(): Promise<void> {
    for (;;) {
      await admit();
      const busy = slots.flatMap(({ job }) => job ?? []);
      if (busy.length === 0) break;
      await step(busy);
    }
    // Set in the same turn as the last look at the queue, so that a request that comes now starts a new loop.
    loop = undefined;
  }

  async function admit(): Promise<void> {
    leaveAborted();
    for (;;) {
      const idle = slots.filter(({ job }) => !job);
      const next = idle.length > 0 ? waiting.shift() : undefined;
      if (!next) return;
      await start(next, idle);
    }
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

  async function start({ work, done }: Waiting, idle: Slot[]): Promise<void> {
    const slot = chooseSlot(idle.map((candidate) => describe(candidate, slots, work.prompt)))?.slot;
    if (!slot) throw new Error('No slot is idle');
    slot.lastUse = ++uses;
    try {
      // At least the last token is evaluated, because its result is the first generated one.
      await slot.sequence.adaptStateToTokens(work.prompt.slice(0, -1), false);
      const generation = work.begin(slot.sequence, slot.sequence.nextTokenIndex);
      slot.job = { work, done, generation };
    } catch (error) {
      work.fail(error);
      done();
    }
  }

  async function step(jobs: readonly Job[]): Promise<void> {
    const left = jobs.map(({ generation }) => generation.promptTokensLeft());
    const reading = left.filter((tokens) => tokens > 0).length;
    const each = pace.promptTokensEach({ reading, writing: jobs.length - reading });
    beforeStep();
    const startedAt = performance.now();
    await Promise.all(slots.map((slot) => advance(slot, each)));
    const promptTokens = left.reduce((sum, tokens) => sum + Math.min(tokens, each), 0);
    pace.observe({ promptTokens, ms: performance.now() - startedAt });
  }

  async function advance(slot: Slot, promptTokensMax: number): Promise<void> {
    const { job } = slot;
    if (!job) return;
    const { work, generation } = job;
    try {
      const reason = isAborted(job) ? 'abort' : await generation.advance(promptTokensMax);
      const end = isAborted(job) ? 'abort' : reason;
      if (!end) return;
      await generation.close();
      work.end(end, generation.completionTokens());
    } catch (error) {
      work.fail(error);
      // What the sequence holds is unknown now, so nothing of it may be used again.
      await slot.sequence.clearHistory().catch(() => {});
    }
    slot.job = undefined;
    job.done();
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

function describe(slot: Slot, slots: readonly Slot[], prompt: readonly Token[]) {
  const { sequence, lastUse } = slot;
  const place = slots.indexOf(slot);
  return {
    slot,
    lastUse,
    heldTokens: sequence.nextTokenIndex,
    sharedTokens: sequence.compareContextTokens(prompt as Token[]).firstDifferentIndex,
    busyNeighbours: [slots[place - 1], slots[place + 1]].filter((neighbour) => neighbour?.job).length,
  };
}
