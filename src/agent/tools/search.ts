import { mergeRanks } from '../rank.ts';
import { canonicalUrl } from '../urls.ts';
import type { SearchOutcome, SearchProvider, SearchResult } from './search/provider.ts';

const RESULTS_MAX = 8;
const REST_MS = 60_000;

export type Search = ReturnType<typeof createSearch>;

/** What all providers together say to one question. */
export type Searched = { query: string; outcome: SearchOutcome };

/** Asks every provider that is configured. One that has had enough of us is left alone for a while. */
export function createSearch({
  providers,
  now = () => performance.now(),
}: {
  providers: readonly SearchProvider[];
  now?: () => number;
}) {
  const resting = new Map<string, { until: number; outcome: SearchOutcome }>();
  const lines = new Map<string, Promise<unknown>>();

  async function search(query: string, signal: AbortSignal): Promise<Searched> {
    const outcomes = await Promise.all(providers.map((provider) => askOne(provider, query, signal)));
    return { query, outcome: join(outcomes) };
  }

  async function askOne(
    provider: SearchProvider,
    query: string,
    signal: AbortSignal,
  ): Promise<SearchOutcome> {
    const rest = resting.get(provider.name);
    if (rest && rest.until > now()) return rest.outcome;
    const turn = (lines.get(provider.name) ?? Promise.resolve()).then(() => undefined);
    let done: () => void = () => undefined;
    if (provider.pauseMs > 0)
      lines.set(
        provider.name,
        turn.then(() => new Promise<void>((resolve) => (done = resolve))),
      );
    await turn;
    try {
      signal.throwIfAborted();
      const outcome = await provider.search(query, { limit: RESULTS_MAX, signal });
      if (outcome.status === 'rate_limited') resting.set(provider.name, { until: now() + REST_MS, outcome });
      return outcome;
    } finally {
      if (provider.pauseMs > 0) setTimeout(() => done(), provider.pauseMs).unref();
    }
  }

  return { names: providers.map(({ name }) => name), search };
}

/** Results count, wherever they are from. Without any, the failure that says most. */
function join(outcomes: readonly SearchOutcome[]): SearchOutcome {
  const lists = outcomes.map((outcome) => (outcome.status === 'ok' ? outcome.results : []));
  const byUrl = new Map<string, SearchResult>();
  const orders = lists.map((results) =>
    results.flatMap((result) => {
      const url = canonicalUrl(result.url);
      if (url === undefined) return [];
      if (!byUrl.has(url)) byUrl.set(url, { ...result, url });
      return [url];
    }),
  );
  const results = mergeRanks(orders).flatMap((url) => byUrl.get(url) ?? []);
  if (results.length > 0) return { status: 'ok', results: results.slice(0, RESULTS_MAX) };
  return outcomes.find(({ status }) => status !== 'ok' && status !== 'empty') ?? { status: 'empty' };
}
