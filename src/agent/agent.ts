import type { Clock } from '../clock.ts';
import { Failure, toFailure } from '../errors.ts';
import type { Chat } from '../inference/chat.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store/store.ts';
import type { Toolbox } from './act.ts';
import { createBroadcast, type Broadcast, type Streamed } from './broadcast.ts';
import type { Embedder } from './embedder.ts';
import { runLoop, type Looped } from './loop.ts';
import { createModel } from './model.ts';
import { createRuns, type Caller, type WholeRun } from './runs.ts';
import { createTell } from './tell.ts';
import type { AgentEvent, AgentUsage, Task } from './types.ts';

export type Agent = ReturnType<typeof createAgent>;

/** A run that was just begun. */
export type StartedRun = {
  id: string;
  sessionId: string;
  follow: Broadcast['follow'];
  /** The whole run once it is over. Throws what made it fail. */
  ended: Promise<WholeRun>;
  cancel(reason: Failure): void;
};

type Parts = {
  store: Store;
  clock: Clock;
  log: Log;
  chat: Chat;
  embedder: Embedder;
  toolbox: Toolbox;
  reach: { search: boolean; fetch: boolean };
  deadlineMs: number;
  /** Aborts when the daemon stops. */
  stopping: AbortSignal;
};

type Live = { caller: Caller; broadcast: Broadcast; controller: AbortController; ended: Promise<unknown> };

const RUNS_MAX = 32;

/** Runs that plan, look things up and answer; each can be watched, stopped and read again later. */
export function createAgent(parts: Parts) {
  const { store, clock, log, chat, stopping } = parts;
  const runs = createRuns({ store, clock });
  const live = new Map<string, Live>();
  const interrupted = runs.interrupt();
  if (interrupted > 0)
    log.warn({ runs: interrupted }, 'runs of the agent were interrupted by the end of the last daemon');

  function start(task: Task, caller: Caller, sessionId?: string): StartedRun {
    if (live.size >= RUNS_MAX)
      throw new Failure('queue_full', `${RUNS_MAX} runs are under way. Try again when one has ended.`);
    chat.check(task.model);
    for (const name of task.sources.docs ?? []) parts.toolbox.docs.find(name);
    const begun = runs.begin(task, caller, sessionId);
    const broadcast = createBroadcast();
    const controller = new AbortController();
    const running = {
      ...begun,
      task,
      caller,
      broadcast,
      signal: AbortSignal.any([controller.signal, stopping]),
    };
    const ended = work(running).finally(() => {
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

  async function work(running: Running): Promise<WholeRun> {
    const { id, sessionId, caller, broadcast, signal } = running;
    const usage = noUsage();
    const startedAt = clock.now();
    const emit = (event: AgentEvent): void => {
      const numbered = { ...event, seq: broadcast.events.length + 1 };
      runs.addEvent(id, numbered);
      broadcast.add(numbered);
    };
    const finish = (status: 'finished' | 'cancelled', looped: Looped): void => {
      usage.wall_ms = clock.now() - startedAt;
      const { answer, citations, sources, stopped, facts, read } = looped;
      runs.end(id, { status, stopped, answer, result: { usage, sources, citations }, facts, read });
      emit({ type: 'done', answer, citations, sources, stopped, usage, run: id, session: sessionId });
    };
    try {
      finish('finished', await loop(running, { usage, emit }));
    } catch (error) {
      if (signal.aborted && !stopping.aborted) {
        const left = { answer: broadcast.text(), citations: [], sources: [], facts: [], read: [] };
        finish('cancelled', { ...left, stopped: 'cancelled' });
      } else {
        const failure = toFailure(stopping.aborted ? stopping.reason : error);
        if (failure.code === 'internal_error')
          log.error({ run_id: id, err: failure.cause }, 'a run of the agent broke');
        usage.wall_ms = clock.now() - startedAt;
        runs.end(id, {
          status: 'failed',
          stopped: null,
          answer: null,
          result: { usage, sources: [], citations: [] },
          facts: [],
          read: [],
        });
        const { message, code, kind } = failure;
        emit({
          type: 'error',
          message,
          code,
          retryable: kind.status >= 500 ? kind.retry !== false : kind.status === 429,
        });
        throw failure;
      }
    }
    return runs.find(id, caller);
  }

  function loop(
    { id, task, caller, history, broadcast, signal }: Running,
    { usage, emit }: Telling,
  ): Promise<Looped> {
    const tell = createTell({ emit });
    const daemon = stopping;
    const model = createModel({
      chat,
      name: task.model,
      runId: id,
      caller: { ...caller, daemon },
      usage,
      onWait: (seconds, { message }) => tell.step(`Waiting ${seconds} s: ${message}`, { phase: 'think' }),
    });
    return runLoop({
      task,
      history,
      toolbox: parts.toolbox,
      reach: parts.reach,
      embedder: parts.embedder,
      embedding: { requestId: id, ...caller, daemon },
      model,
      tell,
      usage,
      deadlineMs: task.budget.ms ?? parts.deadlineMs,
      onToken: broadcast.write,
      signal,
    });
  }

  /** What a run tells, from the beginning or after some event; one that is over tells it again. */
  function follow(
    id: string,
    caller: Caller,
    options: { after?: number; withTokens?: boolean } = {},
  ): AsyncGenerator<Streamed> {
    runs.find(id, caller);
    const broadcast = live.get(id)?.broadcast ?? createBroadcast(pastOf(id, caller));
    return broadcast.follow(options);
  }

  /** One that was interrupted never told its end. */
  function pastOf(id: string, caller: Caller) {
    const past = runs.eventsOf(id);
    const { status } = runs.find(id, caller);
    const last = past.at(-1);
    if (last?.type === 'done' || last?.type === 'error') return past;
    const message =
      status === 'interrupted'
        ? 'The daemon ended while it was running. Start it again.'
        : 'It told nothing more.';
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
    /** Waits for the runs to end; `stopping` has told them to. */
    async close(): Promise<void> {
      for (const { controller } of live.values())
        controller.abort(new Failure('shutting_down', 'The daemon is stopping.'));
      await Promise.allSettled([...live.values()].map(({ ended }) => ended));
    },
  };
}

type Running = ReturnType<ReturnType<typeof createRuns>['begin']> & {
  task: Task;
  caller: Caller;
  broadcast: Broadcast;
  signal: AbortSignal;
};
type Telling = { usage: AgentUsage; emit: (event: AgentEvent) => void };

function noUsage(): AgentUsage {
  return {
    cycles: 0,
    model_calls: 0,
    prompt_tokens: 0,
    completion_tokens: 0,
    total_tokens: 0,
    searches: 0,
    fetches: 0,
    fallbacks: 0,
    wall_ms: 0,
  };
}
