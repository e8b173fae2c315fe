import {
  ask,
  isAnswer,
  type SearchOutcome,
  type SearchProvider,
  type SearchResult,
  type Send,
} from './provider.ts';

const BASE = 'https://lite.duckduckgo.com';
const CAPTCHA = /anomaly-modal|challenge-form|anomaly\.js|Unfortunately, bots use DuckDuckGo/i;

/** The page for text browsers. When it rate-limits us, it answers with a CAPTCHA instead of an error. */
export function createDuckduckgo({ send, base = BASE }: { send: Send; base?: string }): SearchProvider {
  return {
    name: 'duckduckgo',
    pauseMs: 1_000,
    async search(query, { signal }) {
      const answer = await ask(send, {
        url: `${base}/lite/`,
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
        body: Buffer.from(new URLSearchParams({ q: query }).toString()),
        signal,
      });
      if (!isAnswer(answer)) return answer;
      return read(answer.status, answer.body.toString('utf8'));
    },
  };
}

function read(status: number, html: string): SearchOutcome {
  if (status === 202 || status === 429 || CAPTCHA.test(html)) {
    return { status: 'rate_limited', reason: 'DuckDuckGo asks for a CAPTCHA' };
  }
  if (status === 403) return { status: 'blocked', reason: 'DuckDuckGo blocks this address (403)' };
  if (status !== 200) return { status: 'unavailable', reason: `DuckDuckGo answered ${status}` };
  const results = readLinks(html);
  if (results.length > 0) return { status: 'ok', results };
  if (/No results/i.test(html)) return { status: 'empty' };
  return {
    status: 'blocked',
    reason: 'DuckDuckGo returned a page without results',
  };
}

function readLinks(html: string): SearchResult[] {
  const snippets = Array.from(
    html.matchAll(/class=['"]result-snippet['"][^>]*>([\s\S]*?)<\/td>/g),
    ([, text = '']) => plain(text),
  );
  const links = Array.from(html.matchAll(/<a\b([^>]*class=['"]result-link['"][^>]*)>([\s\S]*?)<\/a>/g));
  return links.flatMap(([, attributes = '', title = ''], index) => {
    const url = target(/href=['"]([^'"]+)['"]/.exec(attributes)?.[1] ?? '');
    return url === undefined ? [] : [{ url, title: plain(title), snippet: snippets[index] ?? '' }];
  });
}

/** Result links go through a redirect page that names the target. */
function target(href: string): string | undefined {
  const url = new URL(plain(href), BASE);
  const named = url.searchParams.get('uddg') ?? url.toString();
  return URL.canParse(named) && /^https?:/.test(named) && !new URL(named).hostname.endsWith('duckduckgo.com')
    ? named
    : undefined;
}

const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: ' ',
  '#x27': "'",
  '#39': "'",
};

function plain(html: string): string {
  return html
    .replace(/<[^>]*>/g, '')
    .replace(/&(#?\w+);/g, (whole, name: string) => ENTITIES[name.toLowerCase()] ?? whole)
    .replace(/\s+/g, ' ')
    .trim();
}
