import { rankByWords } from '../../../src/agent/reading/rank.ts';
import { listen } from './loopback.ts';
import type { WorldPage } from './world.ts';

export type SearxngFault =
  'none' | 'html-only' | 'limited' | 'suspended' | 'no-json' | 'broken' | 'empty' | 'duplicates' | 'slow';

type Found = { path: string; title: string };

const RESULTS = 6;

/** A SearXNG over pages, ranked like a real index, which can fail in the ways that real ones do. */
export async function loopbackSearxng(
  pages: readonly WorldPage[],
  { site, lead = [] }: { site: string; lead?: readonly Found[] },
) {
  const state = {
    fault: 'none' as SearxngFault,
    asked: [] as string[],
    /** Before all that is found. */
    lead,
    /** How the site gives a page that is found. */
    mannerOf: (() => '') as (path: string) => string,
  };
  const texts = pages.map(({ title, paragraphs }) => `${title}\n${paragraphs.join('\n')}`);
  const url = await listen((_request, response, { searchParams }) => {
    const query = searchParams.get('q') ?? '';
    state.asked.push(query);
    const json = (body: unknown) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (state.fault === 'slow') return;
    if (state.fault === 'html-only') return void response.writeHead(403).end('<h1>Forbidden</h1>');
    if (state.fault === 'limited') return void response.writeHead(429).end();
    if (state.fault === 'broken') return void response.writeHead(502).end();
    if (state.fault === 'no-json') return void response.writeHead(200).end('<html>');
    if (state.fault === 'empty') return void json({ results: [], unresponsive_engines: [] });
    if (state.fault === 'suspended')
      return void json({ results: [], unresponsive_engines: [['google', 'Suspended: CAPTCHA']] });
    const found = rankByWords(query, texts)
      .slice(0, RESULTS)
      .flatMap(({ index }) => pages[index] ?? [])
      .map(({ path, title }) => ({ path: `${state.mannerOf(path)}${path}`, title }));
    const results = [...state.lead, ...found].map(({ path, title }) => ({
      url: `${site}/${path}`,
      title,
      content: title,
    }));
    json({
      query,
      results: state.fault === 'duplicates' ? results.flatMap(spellings) : results,
      unresponsive_engines: [],
    });
  });
  return { url, state };
}

/** Different addresses of the same page. */
function spellings<Result extends { url: string }>(result: Result): Result[] {
  return ['', '#top', '?utm_source=feed', '/'].map((end) => ({ ...result, url: `${result.url}${end}` }));
}
