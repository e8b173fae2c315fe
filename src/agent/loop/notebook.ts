import { overlap } from '../reading/words.ts';
import { canonicalUrl, hostOf } from '../reading/urls.ts';
import type { Fact, Source } from '../types.ts';

export type Candidate = {
  id: number;
  url: string;
  title: string;
  snippet: string;
  date?: string;
  /** The user named it. */
  isAskedFor: boolean;
  state: 'unread' | 'read' | 'failed';
};

/** Queries that share this many words count as the same. */
const SAME = 0.8;
const LISTED_MAX = 8;
const PER_HOST_MAX = 2;

export type Notebook = ReturnType<typeof createNotebook>;

/** What a run knows so far: where it could look, where it has looked, and what it found. */
export function createNotebook({ onFact = () => undefined }: { onFact?: (fact: Fact) => void } = {}) {
  const candidates: Candidate[] = [];
  const facts: Fact[] = [];
  const sources: Source[] = [];
  const tried: { tool: string; text: string }[] = [];

  /** Returns whether it is new. */
  function addCandidate(found: Omit<Candidate, 'id' | 'state' | 'url'> & { url: string }): boolean {
    const url = canonicalUrl(found.url);
    if (url === undefined || candidates.some((each) => each.url === url)) return false;
    candidates.push({ ...found, url, id: candidates.length + 1, state: 'unread' });
    return true;
  }

  function unread(): Candidate[] {
    return candidates.filter(({ state }) => state === 'unread').slice(0, LISTED_MAX);
  }

  /** The best unread candidates, at most two per host. */
  function bestUnread(count: number): Candidate[] {
    const perHost = new Map<string, number>();
    return unread()
      .filter(({ url }) => {
        const seen = perHost.get(hostOf(url)) ?? 0;
        perHost.set(hostOf(url), seen + 1);
        return seen < PER_HOST_MAX;
      })
      .slice(0, count);
  }

  function sourceOf(source: Omit<Source, 'n'>): Source {
    const known = sources.find(({ url }) => url === source.url);
    if (known) return known;
    const added = { ...source, n: sources.length + 1 };
    sources.push(added);
    return added;
  }

  /** Returns whether it adds something new. */
  function addFact({ source, ...fact }: Omit<Fact, 'source'> & { source: Omit<Source, 'n'> }): boolean {
    const isKnown = facts.some(
      (each) =>
        each.source.url === source.url && (each.quote === fact.quote || overlap(each.fact, fact.fact) > 0.9),
    );
    if (isKnown) return false;
    const added = { ...fact, source: sourceOf(source) };
    facts.push(added);
    onFact(added);
    return true;
  }

  return {
    candidates,
    facts,
    sources,
    tried,
    addCandidate,
    addFact,
    unread,
    bestUnread,
    try: (tool: string, text: string) => void tried.push({ tool, text }),
    wasTried: (tool: string, text: string) =>
      tried.some((each) => each.tool === tool && isSameQuery(each.text, text)),
  };
}

/** Whether the second query would find the same as the first. */
export const isSameQuery = (a: string, b: string): boolean => a === b || overlap(a, b) >= SAME;
