import type { McpServer, McpServerRequest } from '../../../src/api/management/mcp-servers.ts';
import { Failure } from '../../../src/base/errors.ts';
import type { Client } from '../../client/client.ts';
import { sanitiseLine } from '../../output/sanitise.ts';

export type Imported = { name: string; tools: number; login?: McpServer['login']; error?: string };

/** One after another: each may start a program that first downloads itself. */
export async function importServers(
  client: Client,
  wanted: readonly McpServerRequest[],
): Promise<Imported[]> {
  const results: Imported[] = [];
  for (const request of wanted) results.push(await importServer(client, request));
  return results;
}

async function importServer(client: Client, request: McpServerRequest): Promise<Imported> {
  try {
    const { name, tools, login } = await client.mcp.add(request);
    return { name, tools: tools.length, login };
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'daemon_unreachable') throw error;
    return { name: request.name, tools: 0, error: error.message };
  }
}

export function importedText(results: readonly Imported[]): string {
  if (results.length === 0) return 'The file has no servers.';
  const lines = results.map(({ name, tools, login, error }) => {
    if (error !== undefined) return `${sanitiseLine(name)}: not added. ${sanitiseLine(error)}`;
    return login === 'needed'
      ? `${name}: added. To log in and allow its tools: askd mcp login ${name}`
      : `${name}: added, ${tools} tools`;
  });
  const isAny = results.some(({ error }) => error === undefined);
  return [...lines, ...(isAny ? ['askd mcp test NAME shows what each offers.'] : [])].join('\n');
}
