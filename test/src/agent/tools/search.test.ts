import { describe, expect, test } from 'vitest';
import { createSearch } from '../../../../src/agent/tools/search.ts';
import {
  FOUND,
  searchServer,
  type SearchAnswer,
  type SearchName,
} from '../../../helpers/agent/search-servers.ts';

const PAGES = [
  { url: 'https://a.example/bridges?id=1&x=2', title: "Bridges & 'fjords'", text: 'The longest of them.' },
  { url: 'https://b.example/', title: 'Second', text: 'Another one.' },
];
const NAMES = ['duckduckgo', 'brave', 'tavily'] as const;
const never = new AbortController().signal;

async function ask(name: SearchName, answer: SearchAnswer) {
  const { provider, seen } = await searchServer(name, () => answer);
  return { outcome: await provider.search('longest bridge', { limit: 8, signal: never }), seen };
}

describe('a query to a search service', () => {
  test.each([
    ['duckduckgo', { method: 'POST', path: '/lite/', body: 'q=longest+bridge' }],
    [
      'brave',
      {
        method: 'GET',
        path: '/res/v1/web/search?q=longest+bridge&count=8',
        headers: expect.objectContaining({ 'x-subscription-token': 'the-key' }),
      },
    ],
    [
      'tavily',
      {
        method: 'POST',
        path: '/search',
        headers: expect.objectContaining({ authorization: 'Bearer the-key' }),
        body: '{"query":"longest bridge","max_results":8}',
      },
    ],
  ] as const)('is sent as expected, and the pages found are returned: %s', async (name, expected) => {
    const { outcome, seen } = await ask(name, FOUND[name](PAGES));
    expect(seen).toMatchObject([expected]);
    expect(outcome).toMatchObject({
      status: 'ok',
      results: PAGES.map(({ url, title, text }) => ({ url, title, snippet: expect.stringContaining(text) })),
    });
  });

  test.each(NAMES)('that finds nothing says so: %s', async (name) => {
    expect((await ask(name, FOUND[name]([]))).outcome).toEqual({ status: 'empty' });
  });

  const refused = (code: string) => JSON.stringify({ type: 'ErrorResponse', error: { code, detail: 'no' } });
  const ratelimit = (left: string) => ({ 'x-ratelimit-remaining': left, 'x-ratelimit-reset': '1, 1419704' });

  test.each<[SearchName, string, SearchAnswer, object]>([
    [
      'duckduckgo',
      'a puzzle',
      { status: 202, body: '<form id="challenge-form">' },
      { status: 'rate_limited' },
    ],
    [
      'duckduckgo',
      'a puzzle that looks well',
      { body: '<div class="anomaly-modal__title">Unfortunately, bots use DuckDuckGo too.</div>' },
      { status: 'rate_limited' },
    ],
    ['duckduckgo', 'a refusal', { status: 403 }, { status: 'blocked' }],
    ['duckduckgo', 'a page of another kind', { body: '<html>Welcome</html>' }, { status: 'blocked' }],
    ['duckduckgo', 'a fault', { status: 500 }, { status: 'unavailable' }],
    [
      'brave',
      'a key that is none',
      { status: 422, body: refused('SUBSCRIPTION_TOKEN_INVALID') },
      { status: 'misconfigured', reason: expect.stringContaining('agent_brave_key') },
    ],
    [
      'brave',
      'a question it does not take',
      { status: 422, body: refused('VALIDATION') },
      { status: 'unavailable', reason: 'Brave: it answered 422 VALIDATION' },
    ],
    [
      'brave',
      'haste',
      { status: 429, body: refused('RATE_LIMITED'), headers: ratelimit('0, 1500') },
      { status: 'rate_limited', restMs: 1000 },
    ],
    ['brave', 'a spent quota', { status: 429, body: refused('QUOTA_LIMITED') }, { status: 'blocked' }],
    ['brave', 'another form', { body: '{"items":[]}' }, { status: 'unavailable' }],
    ['brave', 'no JSON', { body: '<html>' }, { status: 'unavailable' }],
    [
      'tavily',
      'a key that is none',
      { status: 401, body: '{"detail":{"error":"Unauthorized"}}' },
      { status: 'misconfigured', reason: expect.stringContaining('agent_tavily_key') },
    ],
    [
      'tavily',
      'haste',
      { status: 429, headers: { 'retry-after': '7' } },
      { status: 'rate_limited', restMs: 7000 },
    ],
    ['tavily', 'a spent plan', { status: 432 }, { status: 'blocked' }],
    ['tavily', 'a spent allowance', { status: 433 }, { status: 'blocked' }],
    ['tavily', 'a fault', { status: 503 }, { status: 'unavailable' }],
    ['tavily', 'another form', { body: '{"hits":[]}' }, { status: 'unavailable' }],
  ])('is refused with the reason: %s, %s', async (name, _what, answer, expected) => {
    const { outcome } = await ask(name, answer);
    expect(outcome).toMatchObject({ reason: expect.any(String), ...expected });
    expect(JSON.stringify(outcome)).not.toContain('the-key');
  });
});

describe('the search', () => {
  test('sends a service one query at a time, and none after it rate limits', async () => {
    const { provider, seen } = await searchServer('duckduckgo', (serial) =>
      serial === 3 ? { status: 202 } : FOUND.duckduckgo(PAGES),
    );
    let now = 0;
    const { search } = createSearch({ providers: [{ ...provider, pauseMs: 40 }], now: () => now });
    const said = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((query) => search(query, never)));
    expect(said.map(({ outcome }) => outcome.status)).toEqual([
      ...['ok', 'ok', 'rate_limited', 'rate_limited', 'rate_limited'],
    ]);
    expect(seen.map(({ body }) => body)).toEqual(['q=a', 'q=b', 'q=c']);
    expect((seen[1]?.at ?? 0) - (seen[0]?.at ?? 0)).toBeGreaterThanOrEqual(39);
    now = 61_000;
    expect((await search('f', never)).outcome.status).toBe('ok');
  });

  test('backs off for as long as a service asks', async () => {
    const { provider, seen } = await searchServer('tavily', (serial) =>
      serial === 1 ? { status: 429, headers: { 'retry-after': '7' } } : FOUND.tavily(PAGES),
    );
    let now = 0;
    const { search } = createSearch({ providers: [{ ...provider, pauseMs: 0 }], now: () => now });
    await search('a', never);
    now = 6_900;
    expect((await search('b', never)).outcome.status).toBe('rate_limited');
    now = 7_100;
    expect((await search('c', never)).outcome.status).toBe('ok');
    expect(seen).toHaveLength(2);
  });

  test('takes the results of one service when another refuses, and reports the refusal', async () => {
    const brave = await searchServer('brave', () => ({ status: 401 }));
    const tavily = await searchServer('tavily', () => FOUND.tavily(PAGES));
    const { search } = createSearch({ providers: [brave.provider, tavily.provider] });
    const { outcome, refused } = await search('longest bridge', never);
    expect(outcome).toMatchObject({ status: 'ok', results: [{ title: "Bridges & 'fjords'" }, {}] });
    expect(refused).toEqual(['Brave: it rejects the key in agent_brave_key (401)']);
  });

  test('ranks first what two services found', async () => {
    const other = { url: 'https://c.example/', title: 'Third', text: 'And one more.' };
    const brave = await searchServer('brave', () => FOUND.brave([other, PAGES[1] ?? other]));
    const tavily = await searchServer('tavily', () => FOUND.tavily(PAGES));
    const { search } = createSearch({ providers: [brave.provider, tavily.provider] });
    const { outcome } = await search('longest bridge', never);
    const found = outcome.status === 'ok' ? outcome.results.map(({ url }) => url) : [];
    expect(found[0]).toBe('https://b.example/');
    expect(new Set(found).size).toBe(3);
  });

  test('truncates a query that is a page long', async () => {
    const { provider, seen } = await searchServer('duckduckgo', () => FOUND.duckduckgo(PAGES));
    const { search } = createSearch({ providers: [provider] });
    await search(`bridge ${'word '.repeat(2000)}`, never);
    expect(new URLSearchParams(seen[0]?.body).get('q')?.split(' ')).toHaveLength(50);
  });
});
