import type { McpServers } from '../../../src/agent/mcp/servers.ts';
import { invalid } from '../../http/required.ts';

type Meant = {
  /** The client's name for it: without a URL, the name under which it is registered. */
  label: string;
  url: string | undefined;
  /** The parameter names of the label and of the URL in the request. */
  params: { label: string; url: string };
};

/** The name of the server that a request refers to: one that the owner registered, by its name or its URL. */
export function registeredServer(
  servers: ReturnType<McpServers['list']>,
  { label, url, params }: Meant,
): string {
  const found = servers.find(({ name, definition }) =>
    url === undefined ? name === label : 'url' in definition && isSameAddress(definition.url, url),
  );
  if (found) return found.name;
  throw url === undefined
    ? invalid(
        params.label,
        `No MCP server named "${label}" is registered. The owner of the daemon can add it: askd mcp add ${label} …`,
      )
    : invalid(
        params.url,
        `No MCP server with the address ${url} is registered, and askd calls no others. The owner of the daemon can add it: askd mcp add ${label} --url ${url}`,
      );
}

function isSameAddress(left: string, right: string): boolean {
  return URL.canParse(right) && new URL(left).href === new URL(right).href;
}
