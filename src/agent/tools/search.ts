import { setTimeout as wait } from 'node:timers/promises';
import { mergeRanks } from '../reading/rank.ts';
import { canonicalUrl } from '../reading/urls.ts';
import type { SearchOutcome, SearchProvider, SearchResult } from './search/provider.ts';

const RESULTS_MAX = 8;
const REST_MS = 60_000;
const WORDS_MAX = 50;
const CHARACTERS_MAX = 400;

export type Search = ReturnType<typeof createSearch>;

/** The combined results of all providers, and why some returned nothing. */
export type Searched = { outcome: SearchOutcome; refused: string[] };

/** Queries every configured provider. A provider that rate-limits us is skipped for a while. */
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
    const shortQuery = shortened(query);
    const outcomes = await Promise.all(providers.map((provider) => askOne(provider, shortQuery, signal)));
    return {
      outcome: join(outcomes),
      refused: outcomes.flatMap((outcome) => ('reason' in outcome ? [outcome.reason] : [])),
    };
  }

  async function askOne(
    provider: SearchProvider,
    query: string,
    signal: AbortSignal,
  ): Promise<SearchOutcome> {
    const ask = async (): Promise<SearchOutcome> => {
      signal.throwIfAborted();
      // It may have been rate-limited while this query was queued.
      const refused = refusalOf(provider);
      if (refused) return refused;
      const outcome = await provider.search(query, { limit: RESULTS_MAX, signal });
      if (outcome.status === 'rate_limited') {
        resting.set(provider.name, { until: now() + (outcome.restMs ?? REST_MS), outcome });
      }
      return outcome;
    };
    return refusalOf(provider) ?? inLine(provider, ask);
  }

  function refusalOf({ name }: SearchProvider): SearchOutcome | undefined {
    const rest = resting.get(name);
    return rest && rest.until > now() ? rest.outcome : undefined;
  }

  /** One query at a time, with a pause between them. */
  function inLine<Result>({ name, pauseMs }: SearchProvider, work: () => Promise<Result>): Promise<Result> {
    if (pauseMs === 0) return work();
    const result = (lines.get(name) ?? Promise.resolve()).then(work);
    const ended = result.then(nothing, nothing);
    lines.set(
      name,
      ended.then(() => wait(pauseMs, undefined, { ref: false })),
    );
    return result;
  }

  return { names: providers.map(({ name }) => name), search };
}

const nothing = () => undefined;

/** The longest query that all of them accept; a question from a person may be a page long. */
function shortened(query: string): string {
  const words = query.trim().split(/\s+/).slice(0, WORDS_MAX).join(' ');
  return words.length <= CHARACTERS_MAX ? words : words.slice(0, CHARACTERS_MAX).replace(/\s\S*$/, '');
}

/** Any results win, whatever their provider. Without any, the most informative failure. */
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
