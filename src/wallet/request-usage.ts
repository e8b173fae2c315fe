import { toIso } from '../base/clock.ts';
import { Failure } from '../base/errors.ts';
import { toCredits } from '../base/money.ts';
import type { Store } from '../store/store.ts';

type Row = {
  id: string;
  task: string;
  model: string;
  artifact: string;
  outcome: 'finished' | 'disconnected' | 'failed';
  prompt_tokens: number;
  cached_tokens: number;
  completion_tokens: number;
  characters: number;
  seconds: number;
  images: number;
  started_at: number;
  duration_ms: number;
  cost_n: number;
  simulated: string | null;
};

type ToolCall = { server: string; tool: string; outcome: string; duration_ms: number };

/** What requests used, known from the moment they are paid. */
export function createRequestUsage({ store }: { store: Store }) {
  function find(accountId: string, id: string) {
    const row = store.prepare<Row>(FIND).get({ accountId, id });
    if (row === undefined) throw notRecorded(id);
    const { id: request_id, started_at, cost_n, ...used } = row;
    const tool_calls = store.prepare<ToolCall>(TOOL_CALLS).all({ accountId, id });
    return { request_id, ...used, started_at: toIso(started_at), credits: toCredits(cost_n), tool_calls };
  }

  /** The requests of an agent run: their ids are the run's id and a number. */
  function creditsOf(runId: string): number {
    return toCredits(store.prepare<{ cost_n: number }>(OF_RUN).get({ runId })?.cost_n ?? 0);
  }

  return { find, creditsOf };
}

const FIND = `
  SELECT id, task, model, artifact, outcome, prompt_tokens, cached_tokens, completion_tokens, characters, seconds,
    images, started_at, duration_ms, cost_n, simulated
  FROM usage WHERE id = @id AND account_id = @accountId`;

const TOOL_CALLS = `
  SELECT server, tool, outcome, duration_ms FROM mcp_calls
  WHERE account_id = @accountId AND request_id = @id ORDER BY id`;

const OF_RUN = `
  SELECT coalesce(sum(cost_n), 0) AS cost_n FROM usage WHERE id = @runId OR (id > @runId || '.' AND id < @runId || '/')`;

function notRecorded(id: string): Failure {
  const message = `Nothing is recorded for the request ${JSON.stringify(id)}: it is still running, or used nothing.`;
  return new Failure('not_found', message);
}
