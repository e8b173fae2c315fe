import type { Clock } from '../../base/clock.ts';
import type { Store } from '../../store/store.ts';

/** Whose request a call belongs to. A request of a run is the run's id, a dot and a number. */
export type CallOf = { requestId: string; accountId: string; keyId: string | null };

export type McpCall = { server: string; tool: string; outcome: string; durationMs: number };

/** The record of calls, beside the usage of their request. */
export function createCallRecords({ store, clock }: { store: Store; clock: Clock }) {
  return {
    add({ requestId, accountId }: CallOf, call: McpCall): void {
      const row = { requestId, accountId, ...call, now: clock.now() };
      store.relaxedTransaction(() => store.prepare(INSERT).run(row));
    },
  };
}

const INSERT = `
  INSERT INTO mcp_calls(request_id, account_id, server, tool, outcome, duration_ms, called_at)
  VALUES(@requestId, @accountId, @server, @tool, @outcome, @durationMs, @now)`;
