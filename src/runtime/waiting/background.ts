import type { Clock } from '../../base/clock.ts';
import { admit } from '../memory/admission.ts';
import type { ModelManifest } from '../manifest.ts';
import type { Bytes } from '../memory.ts';
import { holdingsAt, isIdle, isOpen, type BackgroundUser, type PoolEntry } from '../pool-entry.ts';

/** Some reasons to wait go away by themselves. */
const LOOK_EVERY_MS = 10_000;
/** A model that nobody has used for this long makes room for background work. */
const UNUSED_MS = 120_000;

type Parts = {
  entries: () => PoolEntry[];
  entryOf: (manifest: ModelManifest) => PoolEntry;
  needOf: (entry: PoolEntry) => Bytes;
  budget: () => Bytes;
  turnMs: number;
  clock: Clock;
};

/** Background requests start only while no other request is in the pool. */
export function createBackgroundLine({ entries, entryOf, needOf, budget, turnMs, clock }: Parts) {
  const waiting = new Set<() => void>();

  /** Whether nobody is waiting for an answer on this machine, and the model would not disturb another one in use. */
  function mayStart(manifest: ModelManifest): boolean {
    if (entries().some(isAwaited)) return false;
    const entry = entryOf(manifest);
    if (entry.state !== 'absent') return isOpen(entry) || entry.state === 'loading';
    const nowMs = clock.now();
    const decision = admit({
      requests: [{ key: entry, need: needOf(entry) }],
      holdings: holdingsAt(entries(), { nowMs, turnMs }),
      budget: budget(),
    });
    if (decision.start.length + decision.refuse.length > 0) return true;
    const isUnused = (other: PoolEntry) => isIdle(other) && other.lastUseAt + UNUSED_MS <= nowMs;
    return decision.yield.length > 0 && decision.yield.every(isUnused);
  }

  function change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, LOOK_EVERY_MS).unref();
      signal.addEventListener('abort', wake, { once: true });
      waiting.add(wake);
    });
  }

  return {
    /** Resolves in the same turn in which the request may start. */
    async turn(manifest: ModelManifest, signal: AbortSignal): Promise<void> {
      while (!mayStart(manifest)) {
        await change(signal);
        signal.throwIfAborted();
      }
    },
    /** Something in the pool changed. */
    look: (): void => {
      for (const wake of [...waiting]) wake();
    },
  };
}

/** Work that runs on another server takes nothing from this machine. */
function isAwaited({ manifest, guests, backgroundGuests }: PoolEntry): boolean {
  return manifest.engine !== 'upstream' && guests > backgroundGuests;
}

/** Stops the last of these that holds a slot, so that a request that somebody is waiting for gets it. */
export function preemptSlot(users: ReadonlySet<BackgroundUser>): void {
  [...users].findLast(({ hasSlot }) => hasSlot)?.preempt();
}
