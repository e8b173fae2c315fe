import { expect, onTestFinished, test, vi } from 'vitest';
import { pruneMcpCalls } from '../../../daemon/jobs/prune-mcp-calls.ts';
import { createCallRecords } from '../../../src/agent/mcp/calls.ts';
import { homePaths } from '../../../src/base/paths.ts';
import { openLog } from '../../../src/log/log.ts';
import { openStore } from '../../../src/store/store.ts';
import { settableClock } from '../../helpers/clock.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const DAY_MS = 86_400_000;
const CALL = { server: 'box', tool: 'echo', outcome: 'ok', durationMs: 1 };
const owner = (requestId: string) => ({ requestId, accountId: 'acct_local', keyId: null });

function open() {
  const clock = settableClock();
  const store = openStore(':memory:');
  const { log, close } = openLog({ paths: homePaths(temporaryFolder()), level: 'info' });
  const records = createCallRecords({ store, clock });
  onTestFinished(async () => {
    store.close();
    await close();
  });
  const left = () =>
    store.prepare<{ requests: number }>('SELECT count(*) AS requests FROM mcp_calls').get()?.requests;
  return { clock, store, log, records, left };
}

test('calls of MCP tools are kept for thirty days, and then deleted in small batches', async () => {
  const { clock, store, log, records, left } = open();
  for (let at = 0; at < 1200; at += 1) records.add(owner(`req_${at}`), CALL);
  clock.advance(DAY_MS);
  records.add(owner('req_later'), CALL);
  clock.advance(29 * DAY_MS);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const stop = await pruneMcpCalls({ mcpServers: { pruneCalls: () => records.prune() }, log });
  const leftAfter = (delayMs: number) => {
    vi.advanceTimersByTime(delayMs);
    return left();
  };
  expect(leftAfter(110_000)).toBe(1201);
  clock.advance(1);
  expect([leftAfter(600_000), leftAfter(100), leftAfter(100)]).toEqual([701, 201, 1]);
  clock.advance(DAY_MS);
  store.close();
  expect(() => vi.advanceTimersByTime(600_000)).not.toThrow();
  await stop();
  expect(vi.getTimerCount()).toBe(0);
});

test('old calls are found by an index', () => {
  const { store } = open();
  const plan = store
    .prepare<{ detail: string }>(
      'EXPLAIN QUERY PLAN SELECT id FROM mcp_calls WHERE called_at < 1 ORDER BY called_at LIMIT 500',
    )
    .all();
  expect(plan.map(({ detail }) => detail).join()).toContain('mcp_calls_by_time');
});
