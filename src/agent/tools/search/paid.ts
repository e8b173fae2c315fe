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
      if (!isAnswer(answer)) return answer;
      return (
        refusalOf(answer, 'agent_brave_key') ??
        readResults(fields(fields(parseJson(answer.body))['web'])['results'], {
          snippet: 'description',
          date: 'page_age',
        })
      );
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
      if (!isAnswer(answer)) return answer;
      return (
        refusalOf(answer, 'agent_tavily_key') ??
        readResults(fields(parseJson(answer.body))['results'], { snippet: 'content', date: 'published_date' })
      );
    },
  };
}

/** A wrong key, a spent quota and a broken service are three different things to do something about. */
function refusalOf({ status, body }: OutboundResponse, setting: string): SearchOutcome | undefined {
  if (status === 401 || status === 403 || status === 422) {
    return { status: 'misconfigured', reason: `it does not accept the key of ${setting} (${status})` };
  }
  if (status === 429) return { status: 'rate_limited', reason: 'too many questions for this key' };
  if (status === 402 || status === 432 || status === 433)
    return { status: 'blocked', reason: 'the quota of this key is used up' };
  if (status !== 200 || parseJson(body) === undefined)
    return { status: 'unavailable', reason: `it answered ${status}` };
  return undefined;
}
