import type { McpServers } from '../../src/agent/mcp/servers.ts';
import type { Log } from '../../src/log/log.ts';
import { pruneInBatches } from './in-batches.ts';

const FIRST_MS = 110_000;

type Parts = { mcpServers: Pick<McpServers, 'pruneCalls'>; log: Log };

/** Deletes old records of calls to MCP servers. */
export async function pruneMcpCalls({ mcpServers, log }: Parts): Promise<() => Promise<void>> {
  const prune = mcpServers.pruneCalls;
  return pruneInBatches({ prune, firstMs: FIRST_MS, log, failed: 'deleting old MCP tool calls failed' });
}
