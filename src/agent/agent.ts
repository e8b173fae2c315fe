import { anySignal } from '../base/any-signal.ts';
import { Failure } from '../base/errors.ts';
import type { Store } from '../store/store.ts';
import { createBroadcast, type Broadcast, type Streamed } from './runs/broadcast.ts';
import { createPerformer, type Performing } from './runs/perform.ts';
import { createRuns, type Caller, type WholeRun } from './runs/runs.ts';
import type { Task } from './types.ts';

export type Agent = ReturnType<typeof createAgent>;

/** A run that has just started. */
export type StartedRun = {
  id: string;
  sessionId: string;
  follow: Broadcast['follow'];
  /** Resolves to the whole run once it is over. Rejects with its failure. */
  ended: Promise<WholeRun>;
  cancel(reason: Failure): void;
};

type Parts = Omit<Performing, 'runs'> & { store: Store };

type Live = { caller: Caller; broadcast: Broadcast; controller: AbortController; ended: Promise<unknown> };

const RUNS_MAX = 32;

/** Runs that plan, use tools and answer. Each can be watched, cancelled and read again later. */
export function createAgent(parts: Parts) {
  const { store, deferred, clock, log, chat, stopping } = parts;
  const runs = createRuns({ store, clock });
  const perform = createPerformer({ ...parts, runs });
  const live = new Map<string, Live>();
  let latest: string | null = null;
  const interrupted = runs.interrupt();
  if (interrupted > 0)
    log.warn({ runs: interrupted }, 'agent runs were interrupted when the last daemon stopped');

  function start(task: Task, caller: Caller, sessionId?: string): StartedRun {
    if (live.size >= RUNS_MAX)
      throw new Failure(
        'queue_full',
        `${RUNS_MAX} agent runs are in progress. Try again when one has ended.`,
      );
    chat.check(task.model);
    for (const name of task.sources.docs ?? []) {
      if (!task.seesCollections) throw hidden(name);
      parts.toolbox.docs.find(name);
    }
    for (const name of task.sources.mcp ?? []) parts.toolbox.mcp.check(name, caller.keyId);
    // A run that ended while the disk was full may have left its session busy.
    deferred.retry();
    const begun = runs.begin(task, caller, sessionId);
    latest = begun.id;
    const broadcast = createBroadcast();
    const controller = new AbortController();
    const running = {
      ...begun,
      task,
      caller,
      broadcast,
      signal: anySignal(controller.signal, stopping),
    };
    const ended = perform(running).finally(() => {
      broadcast.end();
      live.delete(begun.id);
    });
    ended.catch(() => undefined);
    live.set(begun.id, { caller, broadcast, controller, ended });
    return {
      id: begun.id,
      sessionId: begun.sessionId,
      follow: broadcast.follow,
      ended,
      cancel: (reason) => controller.abort(reason),
    };
  }

  /** The events of a run, from the beginning or after a given one. Finished runs are replayed. */
  function follow(
    id: string,
    caller: Caller,
    options: { after?: number; withTokens?: boolean; withFacts?: boolean } = {},
  ): AsyncGenerator<Streamed> {
    runs.find(id, caller);
    const broadcast = live.get(id)?.broadcast ?? createBroadcast(pastOf(id, caller), runs.facts.of(id));
    return broadcast.follow(options);
  }

  /** An interrupted run has no final event, so one is added. */
  function pastOf(id: string, caller: Caller) {
    const past = runs.eventsOf(id);
    const { status } = runs.find(id, caller);
    const last = past.at(-1);
    if (last?.type === 'done' || last?.type === 'error') return past;
    const message =
      status === 'interrupted'
        ? 'The daemon stopped during this run. Start the run again.'
        : 'The run ended without a result.';
    return [
      ...past,
      { type: 'error' as const, message, code: 'run_interrupted', retryable: true, seq: past.length + 1 },
    ];
  }

  return {
    start,
    follow,
    find: runs.find,
    list: runs.list,
    /** The runs in progress, and the one that started last, which may have ended already. */
    activity: () => ({ running: [...live.keys()], latest }),
    async cancel(id: string, caller: Caller): Promise<WholeRun> {
      runs.find(id, caller);
      const running = live.get(id);
      running?.controller.abort(new Failure('client_disconnected', 'The run was cancelled.'));
      await running?.ended.catch(() => undefined);
      return runs.find(id, caller);
    },
    sessions: {
      list: runs.listSessions,
      find: runs.findSession,
      runsOf: runs.runsOf,
      remove: runs.removeSession,
    },
    /** Waits for the runs to end; `stopping` has aborted them. */
    async close(): Promise<void> {
      for (const { controller } of live.values())
        controller.abort(new Failure('shutting_down', 'The daemon is stopping.'));
      await Promise.allSettled([...live.values()].map(({ ended }) => ended));
    },
  };
}

/** The same error whether the collection exists or not. */
function hidden(name: string): Failure {
  return new Failure('not_found', `There is no collection "${name}" for this key.`, { param: 'collection' });
}
