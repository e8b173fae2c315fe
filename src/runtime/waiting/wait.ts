import { Failure } from '../../base/errors.ts';
import type { PoolEntry } from '../pool-entry.ts';
import type { Runner } from '../runner.ts';

type Waiting = {
  entry: PoolEntry;
  signal: AbortSignal;
  waitMs: number;
  /** Called in the same turn in which the runner is granted, so that nothing evicts it in between. */
  onGrant: () => void;
  /** Models ahead of this one. */
  ahead: () => number;
};

/** Waits until the entry has a runner, with a timeout, and gives up when the client disconnects. */
export function waitForRunner({ entry, signal, waitMs, onGrant, ahead }: Waiting): Promise<Runner> {
  return new Promise((resolve, reject) => {
    const waiter = {
      grant(runner: Runner): void {
        leave();
        onGrant();
        resolve(runner);
      },
      refuse(error: Error): void {
        leave();
        reject(error);
      },
    };
    const onAbort = () => waiter.refuse(signal.reason as Error);
    const timer = setTimeout(() => waiter.refuse(stillLoading(entry, ahead())), waitMs);
    signal.addEventListener('abort', onAbort, { once: true });
    entry.waiters.push(waiter);

    function leave(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      entry.waiters.splice(entry.waiters.indexOf(waiter), 1);
    }
  });
}

function stillLoading({ manifest, state, progress }: PoolEntry, ahead: number): Failure {
  const percent = Math.floor(progress * 100);
  const isLoading = state === 'loading';
  const how = isLoading ? `is loading, ${percent} % done` : `waits for memory behind ${ahead} other models`;
  return new Failure('model_loading', `"${manifest.id}" ${how}. Try again in a few seconds.`, {
    details: isLoading ? { progress } : { progress: 0, models_ahead: ahead },
  });
}
