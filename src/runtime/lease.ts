import type { Clock } from '../base/clock.ts';
import { isOpen, isServing, queueFull, type Place } from './pool-entry.ts';
import type { Runner } from './runner.ts';

/** A claim on a loaded model: it stays in memory until this is given back. */
export type Lease = {
  /** The runner as the lease began. */
  runner: Runner;
  /** Waits for one of the model's slots, and gives the runner that is alive by then. The slot ends with the lease. */
  slot(signal: AbortSignal): Promise<Runner>;
  [Symbol.dispose](): void;
};

export type Asking = {
  signal: AbortSignal;
  /** Whether a runner that is there may be used at once. */
  isWelcome: boolean;
  /** Called in the same turn as the runner is given, so that nobody takes it away in between. */
  onGrant: () => void;
};

type LeaseOptions = {
  place: Place;
  runnerOf: (place: Place, asking: Asking) => Promise<Runner> | Runner;
  settle: () => void;
  clock: Clock;
  signal: AbortSignal;
};

export async function openLease({ place, runnerOf, settle, clock, signal }: LeaseOptions): Promise<Lease> {
  if (place.guests >= place.guestsMax) throw queueFull(place);
  let slotsHeld = 0;
  let isUser = false;
  let hasEnded = false;
  place.guests += 1;

  function becomeUser(): void {
    isUser = true;
    place.users += 1;
  }

  function end(): void {
    if (hasEnded) return;
    hasEnded = true;
    place.guests -= 1;
    if (isUser) place.users -= 1;
    for (; slotsHeld > 0; slotsHeld--) place.slots.release();
    place.lastUseAt = clock.now();
    settle();
  }

  try {
    const runner = await runnerOf(place, { signal, isWelcome: isOpen(place), onGrant: becomeUser });
    return {
      runner,
      async slot(slotSignal) {
        await place.slots.take(slotSignal);
        slotsHeld += 1;
        return runnerOf(place, { signal: slotSignal, isWelcome: isServing(place), onGrant: () => undefined });
      },
      [Symbol.dispose]: end,
    };
  } catch (error) {
    end();
    throw error;
  }
}
