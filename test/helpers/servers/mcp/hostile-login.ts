import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

type Page = (response: ServerResponse, form: URLSearchParams) => void;

/** Pages of the server by path, replacing the honest ones. */
export type Pages = Record<string, Page>;

export const page =
  (status: number, body: unknown = {}, headers: Record<string, string> = {}): Page =>
  (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body));

/** An MCP server and its authorization server in one, honest except for the pages that a test replaces. */
export async function loginServer(replaced: (origin: string) => Pages = () => ({})) {
  const seen: string[] = [];
  const forms: URLSearchParams[] = [];
  let pages: Pages = {};
  const server = createServer((request, response) => {
    void readForm(request).then((form) => {
      const path = new URL(request.url ?? '/', 'http://x').pathname;
      seen.push(path);
      forms.push(form);
      (pages[path] ?? page(404))(response, form);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const replace = (some: Pages) => void (pages = { ...pages, ...some });
  replace(honestPages(origin));
  replace(replaced(origin));
  return { origin, url: `${origin}/mcp`, seen, forms, replace };
}

export const authorityOf = (origin: string) => ({
  issuer: origin,
  authorization_endpoint: `${origin}/authorize`,
  token_endpoint: `${origin}/token`,
  registration_endpoint: `${origin}/register`,
  revocation_endpoint: `${origin}/revoke`,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
});

function honestPages(origin: string): Pages {
  const about = `${origin}/.well-known/oauth-protected-resource/mcp`;
  return {
    '/mcp': page(401, {}, { 'www-authenticate': `Bearer resource_metadata="${about}"` }),
    '/.well-known/oauth-protected-resource/mcp': page(200, {
      resource: `${origin}/mcp`,
      authorization_servers: [origin],
    }),
    '/.well-known/oauth-authorization-server': page(200, authorityOf(origin)),
    '/register': page(201, { client_id: 'made', redirect_uris: ['http://127.0.0.1:9/callback'] }),
    '/token': page(200, {
      access_token: 'access-canary-1',
      refresh_token: 'refresh-canary-1',
      token_type: 'Bearer',
    }),
    '/revoke': page(200),
  };
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const part of request) text += String(part);
  return new URLSearchParams(text);
}
