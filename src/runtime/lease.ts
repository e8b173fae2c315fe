import type { Clock } from '../base/clock.ts';
import { preemptSlot } from './waiting/background.ts';
import {
  isOpen,
  isServing,
  queueFull,
  type Background,
  type BackgroundUser,
  type PoolEntry,
} from './pool-entry.ts';
import type { Runner } from './runner.ts';

/** A claim on a loaded model, which stays in memory until it is released. */
export type Lease = {
  /** The runner at the start of the lease. */
  runner: Runner;
  /**
   * Waits for one of the model's slots, and resolves to the runner at that moment. The slot is released with the
   * lease.
   */
  slot(signal: AbortSignal): Promise<Runner>;
  [Symbol.dispose](): void;
};

export type Asking = {
  signal: AbortSignal;
  /** Whether a loaded runner may be used at once. */
  isWelcome: boolean;
  /** Called in the same turn in which the runner is granted, so that nothing evicts it in between. */
  onGrant: () => void;
};

type LeaseOptions = {
  entry: PoolEntry;
  runnerOf: (entry: PoolEntry, asking: Asking) => Promise<Runner> | Runner;
  settle: () => void;
  clock: Clock;
  signal: AbortSignal;
  background?: Background | undefined;
};

export async function openLease(options: LeaseOptions): Promise<Lease> {
  const { entry, runnerOf, settle, clock, signal, background } = options;
  if (!background && entry.guests - entry.backgroundGuests >= entry.guestsMax) throw queueFull(entry);
  const inBackground: BackgroundUser | undefined = background && {
    preempt: background.preempt,
    hasSlot: false,
  };
  let slotsHeld = 0;
  let isUser = false;
  let hasEnded = false;
  entry.guests += 1;
  if (background) entry.backgroundGuests += 1;

  function becomeUser(): void {
    isUser = true;
    entry.users += 1;
    if (inBackground) entry.background.add(inBackground);
  }

  function end(): void {
    if (hasEnded) return;
    hasEnded = true;
    entry.guests -= 1;
    if (background) entry.backgroundGuests -= 1;
    if (isUser) entry.users -= 1;
    if (inBackground) entry.background.delete(inBackground);
    for (; slotsHeld > 0; slotsHeld--) entry.slots.release(background !== undefined);
    entry.lastUseAt = clock.now();
    settle();
  }

  try {
    const runner = await runnerOf(entry, { signal, isWelcome: isOpen(entry), onGrant: becomeUser });
    return {
      runner,
      async slot(slotSignal) {
        if (!background && entry.slots.isFull) preemptSlot(entry.background);
        await entry.slots.take(slotSignal, background !== undefined);
        slotsHeld += 1;
        if (inBackground) inBackground.hasSlot = true;
        return runnerOf(entry, { signal: slotSignal, isWelcome: isServing(entry), onGrant: () => undefined });
      },
      [Symbol.dispose]: end,
    };
  } catch (error) {
    end();
    throw error;
  }
}
