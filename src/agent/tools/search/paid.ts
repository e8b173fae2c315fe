import type { OutboundResponse } from '../../../net/outbound.ts';
import {
  ask,
  fields,
  isAnswer,
  parseJson,
  readResults,
  type SearchOutcome,
  type SearchProvider,
  type Send,
} from './provider.ts';

type Paid = { send: Send; key: string; base?: string };

export function createBrave({ send, key, base = 'https://api.search.brave.com' }: Paid): SearchProvider {
  return {
    name: 'brave',
    pauseMs: 1_000,
    async search(query, { limit, signal }) {
      const url = `${base}/res/v1/web/search?${new URLSearchParams({ q: query, count: String(limit) }).toString()}`;
      const headers = { 'x-subscription-token': key, accept: 'application/json' };
      const answer = await ask(send, { url, method: 'GET', headers, signal });
      if (!isAnswer(answer)) return named('Brave', answer);
      const { type, web } = fields(parseJson(answer.body));
      // If nothing was found, there is no list.
      const list = web === undefined && type === 'search' ? [] : fields(web)['results'];
      return named('Brave', refusalOf(answer, 'agent_brave_key') ?? read(list, 'description', 'page_age'));
    },
  };
}

export function createTavily({ send, key, base = 'https://api.tavily.com' }: Paid): SearchProvider {
  return {
    name: 'tavily',
    pauseMs: 600,
    async search(query, { limit, signal }) {
      const answer = await ask(send, {
        url: `${base}/search`,
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: Buffer.from(JSON.stringify({ query, max_results: limit })),
        signal,
      });
      if (!isAnswer(answer)) return named('Tavily', answer);
      const list = fields(parseJson(answer.body))['results'];
      return named(
        'Tavily',
        refusalOf(answer, 'agent_tavily_key') ?? read(list, 'content', 'published_date'),
      );
    },
  };
}

function named(provider: string, outcome: SearchOutcome): SearchOutcome {
  return 'reason' in outcome ? { ...outcome, reason: `${provider}: ${outcome.reason}` } : outcome;
}

/** A response without a list does not mean "no results". */
function read(list: unknown, snippet: string, date: string): SearchOutcome {
  if (!Array.isArray(list)) return { status: 'unavailable', reason: 'its response has no list of results' };
  return readResults(list, { snippet, date });
}

/** Maps a wrong key, an exhausted quota, a rate limit and a broken service to different failures. */
function refusalOf(answer: OutboundResponse, setting: string): SearchOutcome | undefined {
  const { status } = answer;
  if (status === 200) return undefined;
  const code = codeOf(answer);
  if (status === 401 || status === 403 || (status === 422 && code.includes('TOKEN'))) {
    return { status: 'misconfigured', reason: `it rejects the key in ${setting} (${status})` };
  }
  if ([402, 432, 433].includes(status) || (status === 429 && code.includes('QUOTA'))) {
    return { status: 'blocked', reason: `the quota of the key in ${setting} is used up (${status})` };
  }
  if (status === 429) return { status: 'rate_limited', reason: 'too many requests (429)', ...restOf(answer) };
  return { status: 'unavailable', reason: `it answered ${status}${code === '' ? '' : ` ${code}`}` };
}

function codeOf({ body }: OutboundResponse): string {
  const { code } = fields(fields(parseJson(body))['error']);
  return typeof code === 'string' ? code.slice(0, 60) : '';
}

const REST_MS_MAX = 3_600_000;

/** When it may be queried again, by Retry-After or by the exhausted window of the rate-limit header. */
function restOf({ headers }: OutboundResponse): { restMs?: number } {
  const listed = (name: string) =>
    String(headers[name] ?? '')
      .split(',')
      .map(Number);
  const left = listed('x-ratelimit-remaining');
  const resets = listed('x-ratelimit-reset').filter((_, at) => left[at] === 0);
  const seconds = Math.max(Number(headers['retry-after'] ?? 0) || 0, ...resets.filter(Number.isFinite));
  return seconds > 0 ? { restMs: Math.min(seconds * 1000, REST_MS_MAX) } : {};
}
