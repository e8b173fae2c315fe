import type { IncomingHttpHeaders } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { createBrave, createTavily } from '../../../src/agent/tools/search/paid.ts';
import { createDuckduckgo } from '../../../src/agent/tools/search/duckduckgo.ts';
import type { SearchProvider, Send } from '../../../src/agent/tools/search/provider.ts';
import { createAgentOutbound } from '../../../src/agent/outbound.ts';
import { listen } from './loopback.ts';

export type SearchAnswer = { status?: number; headers?: Record<string, string>; body?: string };

export type SearchName = 'duckduckgo' | 'brave' | 'tavily';

export type SeenSearch = {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  at: number;
};

/** One of the search services, with its own protocol, on this machine. */
export async function searchServer(name: SearchName, answer: (serial: number) => SearchAnswer) {
  const seen: SeenSearch[] = [];
  const url = await listen((request, response) => {
    const at = performance.now();
    void readText(request).then((asked) => {
      const { method = '', url: path = '', headers } = request;
      seen.push({ method, path, headers, body: asked, at });
      const { status = 200, headers: own = {}, body = '' } = answer(seen.length);
      response.writeHead(status, own).end(body);
    });
  });
  const outbound = createAgentOutbound({ ownPort: () => 1, allowOrigins: [] });
  const send: Send = (request) => outbound.request({ ...request, trusted: url });
  const options = { send, base: url };
  const providers: Record<SearchName, () => SearchProvider> = {
    duckduckgo: () => createDuckduckgo(options),
    brave: () => createBrave({ ...options, key: 'the-key' }),
    tavily: () => createTavily({ ...options, key: 'the-key' }),
  };
  return { provider: providers[name](), seen };
}

export type FoundPage = { url: string; title: string; text: string };

/** How each of them formats its results. */
export const FOUND: Record<SearchName, (pages: readonly FoundPage[]) => SearchAnswer> = {
  duckduckgo: (pages) => ({ body: litePage(pages) }),
  brave: (pages) => ({
    body: JSON.stringify({
      type: 'search',
      query: { original: 'q' },
      ...(pages.length > 0 && {
        web: {
          type: 'search',
          results: pages.map(({ url, title, text }) => ({
            ...{ url, title, description: text, page_age: '2026-01-02T00:00:00' },
          })),
        },
      }),
    }),
  }),
  tavily: (pages) => ({
    body: JSON.stringify({
      query: 'q',
      answer: null,
      results: pages.map(({ url, title, text }) => ({ url, title, content: text, score: 0.9 })),
      response_time: '1.2',
    }),
  }),
};

/** Table rows: a number and a link, then a snippet, then the URL; one of them is an advertisement. */
function litePage(pages: readonly FoundPage[]): string {
  const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/'/g, '&#x27;');
  const row = (href: string, title: string, text: string) =>
    `<tr><td>1.&nbsp;</td><td><a rel="nofollow" href="${href}" class='result-link'>${escaped(title)}</a></td></tr>` +
    `<tr><td>&nbsp;</td><td class='result-snippet'>\n ${escaped(text)} <b>bold</b>\n</td></tr>`;
  const through = (url: string) => `//duckduckgo.com/l/?uddg=${encodeURIComponent(url)}&amp;rut=abc`;
  const rows = [
    row('https://duckduckgo.com/y.js?ad_domain=shop.example', 'Buy it', 'An advertisement'),
    ...pages.map(({ url, title, text }) => row(through(url), title, text)),
  ];
  const nothing = '<tr><td>No results.</td></tr>';
  return `<!DOCTYPE html><html><body><table>${pages.length === 0 ? nothing : rows.join('\n')}</table></body></html>`;
}
