import type { Clock } from '../../base/clock.ts';
import type { Store } from '../../store/store.ts';

/** Whose request a call belongs to. The request id of a run's call is the run's id, a dot and a number. */
export type CallOf = { requestId: string; accountId: string; keyId: string | null };

export type McpCall = { server: string; tool: string; outcome: string; durationMs: number };

const KEPT_MS = 30 * 24 * 3_600_000;
const PRUNED_AT_ONCE = 500;

/** The record of calls, kept beside the usage of their request for thirty days. */
export function createCallRecords({ store, clock }: { store: Store; clock: Clock }) {
  return {
    add({ requestId, accountId }: CallOf, call: McpCall): void {
      const row = { requestId, accountId, ...call, now: clock.now() };
      store.relaxedTransaction(() => store.prepare(INSERT).run(row));
    },
    /** Whether there may be more to delete. */
    prune(): boolean {
      const before = clock.now() - KEPT_MS;
      const { changes } = store.relaxedTransaction(() => store.prepare(PRUNE).run({ before }));
      return changes === PRUNED_AT_ONCE;
    },
  };
}

const INSERT = `
  INSERT INTO mcp_calls(request_id, account_id, server, tool, outcome, duration_ms, called_at)
  VALUES(@requestId, @accountId, @server, @tool, @outcome, @durationMs, @now)`;

const PRUNE = `
  DELETE FROM mcp_calls WHERE id IN (
    SELECT id FROM mcp_calls WHERE called_at < @before ORDER BY called_at LIMIT ${PRUNED_AT_ONCE})`;
