import type { Clock } from '../clock.ts';
import { toFailure } from '../errors.ts';
import type { Chat } from '../inference/chat.ts';
import type { Log } from '../log.ts';
import type { Toolbox } from './act.ts';
import type { Broadcast } from './broadcast.ts';
import type { Embedder } from './embedder.ts';
import { runLoop, type Looped } from './loop.ts';
import { createModel } from './model.ts';
import type { Caller, Runs, WholeRun } from './runs.ts';
import { createTell } from './tell.ts';
import type { AgentEvent, AgentUsage, Task } from './types.ts';

export type Performing = {
  runs: Runs;
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

/** Takes a run that was begun to its end, and writes down how it ended: one last event, whatever happens. */
export function createPerformer(parts: Performing) {
  const { runs, clock, log, chat, stopping } = parts;

  async function perform(running: Running): Promise<WholeRun> {
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

  return perform;
}

export type Running = ReturnType<Runs['begin']> & {
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
