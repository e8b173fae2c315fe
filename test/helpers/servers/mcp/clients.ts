import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import type { TestDaemon } from '../../daemon/daemon.ts';

/** Clients from before the revision of July 2026 open a session; later ones first ask what the server supports. */
export const REVISIONS = ['legacy', 'auto'] as const;
export type Revision = (typeof REVISIONS)[number];

/** The SDK's own client over HTTP, as another vendor's program would use it. */
export async function httpClient(
  { port, key }: Pick<TestDaemon, 'port' | 'key'>,
  { mode = 'legacy', token = key }: { mode?: Revision; token?: string } = {},
) {
  const client = newClient(mode);
  const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  onTestFinished(() => client.close());
  await client.connect(transport);
  return client;
}

export function newClient(mode: Revision): Client {
  return new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
}

export function textOf({ content }: Pick<CallToolResult, 'content'>): string {
  return content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n');
}
