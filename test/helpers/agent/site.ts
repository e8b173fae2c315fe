import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import { rankByWords } from '../../../src/agent/rank.ts';
import { asHtml, type WorldPage } from './world.ts';

type Handler = (request: IncomingMessage, response: ServerResponse, url: URL) => void;

async function listen(handler: Handler) {
  const server = createServer((request, response) =>
    handler(request, response, new URL(request.url ?? '/', 'http://site')),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
}

/** Counts who comes; nobody should. */
export async function canary() {
  let hits = 0;
  const url = await listen((_request, response) => {
    hits += 1;
    response.end('secret');
  });
  return { url, hits: () => hits };
}

/** The pages of a world, and beside them whatever a web server can do to its readers. */
export async function faultySite(pages: readonly WorldPage[], { trap = '' } = {}) {
  const byPath = new Map(pages.map((page) => [`/${page.path}`, page]));
  const html = (response: ServerResponse, body: string) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(body);
  const faults: Record<string, Handler> = {
    '/robots.txt': (_q, response) =>
      response.writeHead(200, { 'content-type': 'text/plain' }).end('User-agent: *\nDisallow: /private/'),
    '/private/page': (_q, response) => html(response, '<p>private</p>'),
    '/loop': (_q, response) => response.writeHead(302, { location: '/loop' }).end(),
    '/to-metadata': (_q, response) =>
      response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end(),
    '/to-canary': (_q, response) => response.writeHead(301, { location: trap }).end(),
    '/bomb': (_q, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
        .end(gzipSync(Buffer.alloc(30_000_000, 'a'))),
    '/shell': (_q, response) => html(response, '<div id=app></div><script>start()</script>'),
    '/forbidden': (_q, response) => response.writeHead(403).end('no'),
    '/busy': (_q, response) => response.writeHead(429).end('later'),
    '/broken': (_q, response) => response.writeHead(500).end('oops'),
    '/image': (_q, response) => response.writeHead(200, { 'content-type': 'image/png' }).end('x'),
    '/breaks-off': (_q, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-length': '5000' });
      response.write('<p>half');
      setTimeout(() => response.destroy(), 10);
    },
  };
  return listen((request, response, url) => {
    const page = byPath.get(url.pathname);
    if (page) html(response, asHtml(page));
    else (faults[url.pathname] ?? ((_q, answer) => answer.writeHead(404).end()))(request, response, url);
  });
}

export type SearxngFault = 'none' | 'html-only' | 'limited' | 'suspended' | 'no-json' | 'broken' | 'empty';

/** A SearXNG over pages, whose order is that of a real index, and which can fail in the ways that real ones do. */
export async function loopbackSearxng(
  pages: readonly WorldPage[],
  site: () => string,
  extra: readonly { path: string; title: string }[] = [],
) {
  const state: { fault: SearxngFault; asked: string[] } = { fault: 'none', asked: [] };
  const texts = pages.map(({ title, paragraphs }) => `${title}\n${paragraphs.join('\n')}`);
  const url = await listen((_request, response, { searchParams }) => {
    const query = searchParams.get('q') ?? '';
    state.asked.push(query);
    const json = (body: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (state.fault === 'html-only') return void response.writeHead(403).end('<h1>Forbidden</h1>');
    if (state.fault === 'limited') return void response.writeHead(429).end();
    if (state.fault === 'broken') return void response.writeHead(502).end();
    if (state.fault === 'no-json') return void response.writeHead(200).end('<html>');
    if (state.fault === 'empty') return void json({ results: [], unresponsive_engines: [] });
    if (state.fault === 'suspended')
      return void json({ results: [], unresponsive_engines: [['google', 'Suspended: CAPTCHA']] });
    const found = rankByWords(query, texts)
      .slice(0, 6)
      .flatMap(({ index }) => pages[index] ?? []);
    const results = [...extra, ...found].map(({ path, title }) => ({
      url: `${site()}/${path}`,
      title,
      content: title,
    }));
    json({ query, results, unresponsive_engines: [] });
  });
  return { url, state };
}
