import { toIso, type Clock } from '../../base/clock.ts';
import { toFailure } from '../../base/errors.ts';
import type { Chat } from '../../inference/chat.ts';
import type { Log } from '../../log/log.ts';
import type { DeferredWrites } from '../../store/deferred-writes.ts';
import type { Toolbox } from '../loop/act.ts';
import type { Broadcast } from './broadcast.ts';
import type { Embedder } from '../reading/embedder.ts';
import { runLoop } from '../loop/loop.ts';
import { createModel } from '../model.ts';
import type { Caller, Ending, Runs, WholeRun } from './runs.ts';
import { createReportStep } from '../loop/report-step.ts';
import type { AgentEvent, AgentUsage, Result, Task } from '../types.ts';

export type Performing = {
  runs: Runs;
  deferred: DeferredWrites;
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

/** Runs a started run to its end and stores the outcome: exactly one final event, whatever happens. */
export function createPerformer(parts: Performing) {
  const { runs, deferred, clock, log, chat, stopping } = parts;

  async function perform(running: Running): Promise<WholeRun> {
    const { id, sessionId, caller, broadcast, signal } = running;
    const usage = noUsage();
    const startedAt = clock.now();
    const emit = (event: AgentEvent): void => {
      const numbered = { ...event, seq: broadcast.events.length + 1 };
      runs.addEvent(id, numbered);
      broadcast.add(numbered);
    };
    /** Works on a full disk too: viewers see the end, and the row is written when there is room. */
    const end = (ending: Ending, last: AgentEvent): void => {
      const numbered = { ...last, seq: broadcast.events.length + 1 };
      deferred.write(`the end of ${id}`, () => runs.end(id, ending, numbered));
      broadcast.add(numbered);
    };
    const finish = (status: 'finished' | 'cancelled', result: Result): WholeRun => {
      usage.wall_ms = clock.now() - startedAt;
      const { answer, citations, sources, stopped } = result;
      const known = { answer, citations, sources, stopped, usage };
      end(
        { status, stopped, answer, result: { usage, sources, citations } },
        { type: 'done', ...known, run: id, session: sessionId },
      );
      return { ...runs.find(id, caller), status, ...known, ended_at: toIso(startedAt + usage.wall_ms) };
    };
    try {
      return finish('finished', await loop(running, { usage, emit }));
    } catch (error) {
      if (signal.aborted && !stopping.aborted) {
        const left = { answer: broadcast.text(), ...NOTHING };
        return finish('cancelled', { ...left, stopped: 'cancelled' });
      } else {
        const failure = toFailure(stopping.aborted ? stopping.reason : error);
        if (failure.code === 'internal_error')
          log.error({ run_id: id, err: failure.cause }, 'agent run failed');
        usage.wall_ms = clock.now() - startedAt;
        const { message, code, kind } = failure;
        const retryable = kind.status >= 500 ? kind.retry !== false : kind.status === 429;
        end(
          { status: 'failed', stopped: null, answer: null, result: { usage, ...NOTHING } },
          { type: 'error', message, code, retryable },
        );
        throw failure;
      }
    }
  }

  function loop(
    { id, task, caller, history, broadcast, signal }: Running,
    { usage, emit }: Reporting,
  ): Promise<Result> {
    const report = createReportStep({ emit });
    const daemon = stopping;
    const model = createModel({
      chat,
      name: task.model,
      runId: id,
      caller: { ...caller, daemon },
      usage,
      onWait: (seconds, { message }) => report.step(`Waiting ${seconds} s: ${message}`, { phase: 'think' }),
    });
    return runLoop({
      task,
      history,
      toolbox: parts.toolbox,
      reach: parts.reach,
      embedder: parts.embedder,
      embedding: { requestId: id, ...caller, daemon },
      model,
      report,
      usage,
      deadlineMs: task.budget.ms ?? parts.deadlineMs,
      onToken: broadcast.write,
      onFact: (fact) => {
        const placed = { after: broadcast.events.length, fact };
        runs.facts.add(id, placed, broadcast.facts.length);
        broadcast.found(placed);
      },
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
type Reporting = { usage: AgentUsage; emit: (event: AgentEvent) => void };

const NOTHING = { sources: [], citations: [] };

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
