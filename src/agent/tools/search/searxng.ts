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

/** A self-hosted SearXNG. Its JSON output is off by default, which looks like a refusal. */
export function createSearxng({ base, send }: { base: string; send: Send }): SearchProvider {
  const trusted = new URL(base).origin;
  return {
    name: 'searxng',
    pauseMs: 0,
    async search(query, { signal }) {
      const url = new URL(`${base.replace(/\/+$/, '')}/search`);
      url.search = new URLSearchParams({ q: query, format: 'json', safesearch: '1', pageno: '1' }).toString();
      const answer = await ask(send, { url: url.toString(), method: 'GET', trusted, signal });
      if (!isAnswer(answer)) return answer;
      return read(answer.status, parseJson(answer.body), base);
    },
  };
}

function read(status: number, body: unknown, base: string): SearchOutcome {
  if (status === 403) {
    return {
      status: 'misconfigured',
      reason: `${base} does not return JSON. Set "search: formats: [html, json]" in its settings.yml, then restart it`,
    };
  }
  if (status === 429)
    return { status: 'rate_limited', reason: 'SearXNG limits requests (see limiter in its settings.yml)' };
  if (status >= 500) return { status: 'unavailable', reason: `SearXNG answered ${status}` };
  const { results, unresponsive_engines: silent } = fields(body);
  if (status !== 200 || !Array.isArray(results)) {
    return {
      status: 'misconfigured',
      reason: `${base} is not a SearXNG server: it answered ${status} without results`,
    };
  }
  if (results.length === 0 && Array.isArray(silent) && silent.length > 0) {
    const engines = silent.map((each) => (Array.isArray(each) ? each.join(': ') : String(each))).join(', ');
    return { status: 'rate_limited', reason: `its search engines do not respond (${engines.slice(0, 200)})` };
  }
  return readResults(results, { snippet: 'content', date: 'publishedDate' });
}
