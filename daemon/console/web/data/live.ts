import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { DaemonEvent, RecordedEvent } from '../../../../src/api/management/events.ts';
import { call } from './api.ts';
import { forgetAll } from './kept.ts';

type StatusEvent = Extract<DaemonEvent, { topic: 'status' }>;

/** `ended`: the session is over, so the page cannot request anything. */
export type Connection = 'connecting' | 'open' | 'lost' | 'ended';

/** One reading per second. */
export type Sample = { at: number; tokensPerSecond: number; requestsInFlight: number };

export type Live = {
  connection: Connection;
  latest: StatusEvent | undefined;
  samples: readonly Sample[];
  events: readonly RecordedEvent[];
};

const SAMPLES_MAX = 120;
const EVENTS_MAX = 100;
const RETRY_MS = 2_000;
const SESSION_CHECK_MS = 15_000;
/** Keeps a screen with several queries far below the requests that a session may make per minute. */
const REFRESH_MS = 4_000;

let live: Live = { connection: 'connecting', latest: undefined, samples: [], events: [] };
const listeners = new Set<() => void>();

export function useLive(): Live {
  return useSyncExternalStore(listen, () => live);
}

/** Rendered again for events only, not for each reading. */
export function useRecordedEvents(): readonly RecordedEvent[] {
  return useSyncExternalStore(listen, () => live.events);
}

/** For work that continues whichever screen is open: called for each reading and each event. */
export const onLive = (listener: () => void): (() => void) => listen(listener);

export const currentPulls = () => live.latest?.pulls ?? [];

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function change(part: Partial<Live>): void {
  live = { ...live, ...part };
  for (const listener of listeners) listener();
}

let source: EventSource | undefined;

/** The only event stream of the page. The browser resumes it where it broke off. */
export function followEvents(queries: QueryClient): void {
  const opened = new EventSource('/api/daemon/events?replay=50');
  source = opened;
  opened.onopen = () => {
    if (live.connection === 'lost') void queries.invalidateQueries();
    change({ connection: 'open' });
  };
  opened.onmessage = ({ data }) => take(JSON.parse(data as string) as DaemonEvent, queries);
  opened.onerror = () => {
    if (opened.readyState !== EventSource.CLOSED) return change({ connection: 'lost' });
    void findOut(queries);
  };
}

/** The stream was refused, because the session is over or the daemon is stopping. */
async function findOut(queries: QueryClient): Promise<void> {
  if ((await sessionState()) === 'ended') return endSession();
  change({ connection: 'lost' });
  setTimeout(() => followEvents(queries), RETRY_MS);
}

/** For people who do not get the events of the machine: checks now and then whether they are still signed in. */
export async function followSession(): Promise<void> {
  const connection = await sessionState();
  if (live.connection === 'ended') return;
  if (connection === 'ended') return endSession();
  change({ connection });
  setTimeout(() => void followSession(), connection === 'lost' ? RETRY_MS : SESSION_CHECK_MS);
}

function sessionState(): Promise<Connection> {
  return call('GET', '/api/sessions').then(
    () => 'open',
    (error: { status?: number }) =>
      error.status === 401 ? 'ended' : error.status === undefined ? 'lost' : 'open',
  );
}

/** The next user of this browser finds nothing that was written here. */
export function endSession(): void {
  source?.close();
  forgetAll().catch((error: unknown) => console.error(error));
  change({ connection: 'ended', latest: undefined, samples: [], events: [] });
}

const QUERIES_OF: Partial<Record<RecordedEvent['topic'], readonly string[]>> = {
  batch: ['batches', 'usage', 'wallet', 'wallet-history'],
  chat: ['usage', 'wallet', 'wallet-history', 'keys', 'tier'],
  key: ['keys'],
  account: ['wallet', 'wallet-history', 'wallet-settings', 'keys', 'tier'],
  model: ['models'],
  webhook: ['webhooks'],
};

function take(event: DaemonEvent, queries: QueryClient): void {
  if (event.topic === 'gap' || event.topic === 'log') return;
  if (event.topic === 'status') return takeStatus(event);
  // The progress of a batch changes what is shown of it, but is not news.
  if (event.type !== 'batch.progress') change({ events: [event, ...live.events].slice(0, EVENTS_MAX) });
  for (const key of QUERIES_OF[event.topic] ?? []) stale.add(key);
  refresh(queries);
}

const stale = new Set<string>();
let refreshing: ReturnType<typeof setTimeout> | undefined;

/** A busy daemon sends many events per second: the data they concern is fetched again once for all of them. */
function refresh(queries: QueryClient): void {
  if (stale.size === 0 || refreshing !== undefined) return;
  refreshing = setTimeout(() => {
    refreshing = undefined;
    for (const key of stale) void queries.invalidateQueries({ queryKey: [key] });
    stale.clear();
  }, REFRESH_MS);
}

function takeStatus(event: StatusEvent): void {
  const { requests_in_flight: requestsInFlight, started_at: startedAt, served } = event.status;
  const at = performance.now();
  const before = live.latest?.status;
  const elapsed = (at - (live.samples.at(-1)?.at ?? at)) / 1000;
  const made =
    before?.started_at === startedAt ? served.generated_tokens - before.served.generated_tokens : 0;
  const tokensPerSecond = elapsed > 0 ? made / elapsed : 0;
  const samples = [...live.samples, { at, tokensPerSecond, requestsInFlight }].slice(-SAMPLES_MAX);
  change({ connection: 'open', latest: event, samples });
}
