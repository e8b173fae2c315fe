import type { Clock } from '../../base/clock.ts';
import type { Store } from '../../store/store.ts';
import { hostOf } from '../reading/urls.ts';
import type { AgentOutbound } from '../outbound.ts';
import { ExtractError, type Extractor } from './extract.ts';
import { fetchPage, FETCH_TIMEOUTS, type Fetched, type FetchTimeouts } from './read/fetch-page.ts';
import { createPages, type Page } from './read/pages.ts';
import { isAllowedByRobots } from './read/robots.ts';

export type ReadOutcome =
  | { status: 'ok'; page: Page; bytes: number }
  | { status: 'empty' | 'rate_limited' | 'blocked' | 'error'; reason: string; bytes: number };

export type Reading = {
  url: string;
  /** The user named it, so robots.txt does not apply. */
  isAskedFor: boolean;
  signal: AbortSignal;
};

export type Read = ReturnType<typeof createRead>;

const PER_MINUTE_MAX = 10;
const MINUTE_MS = 60_000;
const ROBOTS_KEPT_MS = 3_600_000;
const ROBOTS_HOSTS_MAX = 500;

type Parts = {
  outbound: AgentOutbound;
  extractor: Extractor;
  store: Store;
  clock: Clock;
  timeouts?: FetchTimeouts;
};

/** Reads web pages through the outbound guard, politely, and as text only. */
export function createRead({ outbound, extractor, store, clock, timeouts = FETCH_TIMEOUTS }: Parts) {
  const pages = createPages({ store, clock });
  const requested = new Map<string, number[]>();
  const robots = new Map<string, { text: string; at: number }>();

  async function read(reading: Reading): Promise<ReadOutcome> {
    const { url, isAskedFor, signal } = reading;
    const kept = pages.find(url);
    if (kept) return { status: 'ok', page: kept, bytes: 0 };
    const trusted = outbound.isAllowed(url) ? new URL(url).origin : undefined;
    if (!isAskedFor && !(await isWelcome(url, trusted, signal))) {
      return { status: 'blocked', reason: 'its robots.txt disallows crawlers', bytes: 0 };
    }
    if (!mayAsk(hostOf(url)))
      return {
        status: 'rate_limited',
        reason: 'the limit of ten pages per minute and host is reached',
        bytes: 0,
      };
    const fetched = await fetchPage(outbound, { url, trusted, timeouts, signal });
    if (fetched.status !== 'ok')
      return { status: fetched.status, reason: fetched.reason, bytes: fetched.received };
    return extract(url, fetched, signal);
  }

  async function extract(
    url: string,
    fetched: Extract<Fetched, { status: 'ok' }>,
    signal: AbortSignal,
  ): Promise<ReadOutcome> {
    const { bytes, kind, charset, received } = fetched;
    try {
      const source = { bytes: new Uint8Array(bytes), kind, name: hostOf(url), ...(charset && { charset }) };
      const { title, passages, sha256 } = await extractor.read(source, { signal });
      if (passages.length === 0) return { status: 'empty', reason: 'it has no text', bytes: received };
      const page = { url, finalUrl: fetched.url, title, passages, sha256 };
      pages.keep(page);
      return { status: 'ok', page, bytes: received };
    } catch (error) {
      if (error instanceof ExtractError) return { status: 'error', reason: error.message, bytes: received };
      throw error;
    }
  }

  function mayAsk(host: string): boolean {
    const now = clock.now();
    const recent = (requested.get(host) ?? []).filter((at) => at > now - MINUTE_MS);
    requested.set(host, recent);
    if (recent.length >= PER_MINUTE_MAX) return false;
    recent.push(now);
    return true;
  }

  async function isWelcome(url: string, trusted: string | undefined, signal: AbortSignal): Promise<boolean> {
    const { origin, pathname, search } = new URL(url);
    return isAllowedByRobots(await rulesOf(origin, trusted, signal), pathname + search);
  }

  /** A site without a robots.txt, or that fails to serve it, disallows nothing. */
  async function rulesOf(origin: string, trusted: string | undefined, signal: AbortSignal): Promise<string> {
    const found = robots.get(origin);
    if (found && clock.now() - found.at < ROBOTS_KEPT_MS) return found.text;
    const fetched = await fetchPage(outbound, { url: `${origin}/robots.txt`, trusted, timeouts, signal });
    const text = fetched.status === 'ok' && fetched.kind === 'text' ? fetched.bytes.toString('utf8') : '';
    robots.delete(origin);
    robots.set(origin, { text, at: clock.now() });
    const [oldest] = robots.keys();
    if (robots.size > ROBOTS_HOSTS_MAX && oldest !== undefined) robots.delete(oldest);
    return text;
  }

  return { read };
}
