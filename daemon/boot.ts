import { randomUUID } from 'node:crypto';
import type { Clock } from '../src/base/clock.ts';
import type { Tls } from './http/tls.ts';

export type Boot = ReturnType<typeof createBoot>;

/** The state of this run of the daemon. */
export function createBoot({ clock, host, tls }: { clock: Clock; host: string; tls: Tls | undefined }) {
  let port = 0;
  let inFlight = 0;
  let watching = 0;
  const stop = new AbortController();

  return {
    id: randomUUID(),
    startedAt: clock.now(),
    address: () => ({ host, port, ...(tls && { certificate: tls.cert }) }),
    listensOn: (actualPort: number) => void (port = actualPort),
    requestBegins: () => void (inFlight += 1),
    requestEnds: () => void (inFlight -= 1),
    inFlight: () => inFlight,
    watching: () => watching,
    /** Open event streams do not count as running requests. */
    async *whileWatching<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
      watching += 1;
      try {
        yield* items;
      } finally {
        watching -= 1;
      }
    },
    requestStop: (): void => stop.abort(),
    /**
     * A signal instead of a promise, because everything that awaits a promise stays in memory as long as the promise
     * does.
     */
    stopRequested: stop.signal,
  };
}
