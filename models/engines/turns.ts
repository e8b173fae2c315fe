import type { ItemEvent } from '../../src/runtime/engine.ts';
import { createEventQueue, type EventQueue } from './event-queue.ts';

/** One piece of work that cannot be interrupted. It is done in a lane, or without one when it has the model to itself. */
export type TurnItem<Result> = { promptTokens: number; work: (lane?: number) => Promise<Result> };

export type Turns = {
  /** Yields each item, in order, when it is done. An abort ends it after the items that run. */
  run<Result>(items: readonly TurnItem<Result>[], signal: AbortSignal): AsyncGenerator<ItemEvent<Result>>;
  /** Ends everything after the items that run. */
  close(): Promise<void>;
};

export type TurnsOptions = {
  /** A request with many long items gives way to others after this many tokens. */
  turnTokens?: number;
  /** How many items can be done side by side, when there are several that are no longer than `laneTokens`. */
  lanes?: number;
  laneTokens?: number;
};

type Job = {
  items: readonly TurnItem<unknown>[];
  next: number;
  running: number;
  /** Of its turn. */
  tokens: number;
  hasFailed: boolean;
  signal: AbortSignal;
  /** Done before one that began earlier. */
  early: Map<number, ItemEvent<unknown>>;
  told: number;
  events: EventQueue<ItemEvent<unknown>>;
};

const TURN_TOKENS = 2048;

/**
 * Runs the items of all requests one after the other, or several in lanes of their own, so that what an item gets never
 * depends on its neighbours, and lets the requests take turns by tokens, so that a hundred long texts do not hold up one
 * short query.
 */
export function createTurns(options: TurnsOptions = {}): Turns {
  const { turnTokens = TURN_TOKENS, lanes = 1, laneTokens = 0 } = options;
  const everyLane = Array.from({ length: lanes }, (_, lane) => lane);
  let free = [...everyLane];
  const line: Job[] = [];
  let closing = false;
  let whenIdle = () => {};

  /** Starts what can be started now. */
  function pump(): void {
    for (let job = nextJob(); job; job = nextJob()) {
      const item = job.items[job.next];
      const isIdle = free.length === lanes;
      const isShort = lanes > 1 && item !== undefined && item.promptTokens <= laneTokens;
      const hasLane = isShort && !(isIdle && isLast(job));
      if (!item || free.length === 0 || (!hasLane && !isIdle)) return;
      void start(job, item, hasLane ? free.shift() : undefined);
    }
    if (free.length === lanes) whenIdle();
  }

  /** The request whose turn it is, without those that have nothing left to start. */
  function nextJob(): Job | undefined {
    for (let job = line[0]; job; job = line[0]) {
      if (!isOver(job) && job.tokens < turnTokens) return job;
      line.shift();
      job.tokens = 0;
      if (!isOver(job)) line.push(job);
      else if (job.running === 0) job.events.end();
    }
    return undefined;
  }

  function isOver({ hasFailed, signal, next, items }: Job): boolean {
    return closing || hasFailed || signal.aborted || next >= items.length;
  }

  function isLast(job: Job): boolean {
    return line.length === 1 && job.next === job.items.length - 1;
  }

  async function start(job: Job, item: TurnItem<unknown>, lane: number | undefined): Promise<void> {
    const index = job.next++;
    const { promptTokens } = item;
    job.tokens += promptTokens;
    job.running += 1;
    if (lane === undefined) free = [];
    try {
      const result = await item.work(lane);
      tell(job, index, { type: 'item', index, promptTokens, result });
    } catch (error) {
      job.hasFailed = true;
      job.events.fail(error);
    }
    job.running -= 1;
    if (lane === undefined) free = [...everyLane];
    else free.push(lane);
    if (isOver(job) && job.running === 0) job.events.end();
    // Messages, and so aborts, get through only between two items.
    setImmediate(pump);
  }

  function tell(job: Job, index: number, event: ItemEvent<unknown>): void {
    job.early.set(index, event);
    for (let next = job.early.get(job.told); next; next = job.early.get(job.told)) {
      job.early.delete(job.told);
      job.told += 1;
      job.events.push(next);
    }
  }

  return {
    async *run<Result>(items: readonly TurnItem<Result>[], signal: AbortSignal) {
      const left = new AbortController();
      const events = createEventQueue<ItemEvent<unknown>>();
      const either = AbortSignal.any([signal, left.signal]);
      const job: Job = {
        ...{ items, next: 0, running: 0, tokens: 0, hasFailed: false, early: new Map(), told: 0 },
        ...{ signal: either, events },
      };
      line.push(job);
      setImmediate(pump);
      try {
        yield* events as AsyncIterable<ItemEvent<Result>>;
      } finally {
        left.abort();
      }
    },
    close() {
      closing = true;
      return new Promise((resolve) => {
        whenIdle = resolve;
        pump();
      });
    },
  };
}
