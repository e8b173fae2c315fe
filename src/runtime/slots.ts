import { Failure } from '../base/errors.ts';

export type SlotOptions = { slots: number; queueMax: number; name: string };

type Waiter = { grant: () => void };

/**
 * A counting semaphore with a bounded queue, first come, first served. A request that gives up leaves the queue.
 * Background requests come after all others, and leave them one slot if there are at least two.
 */
export function createSlots({ slots: slotsMax, queueMax, name }: SlotOptions) {
  let slots = slotsMax;
  const line: Waiter[] = [];
  const backgroundLine: Waiter[] = [];
  const idleWaiters: (() => void)[] = [];
  let busy = 0;
  let busyInBackground = 0;

  function take(signal: AbortSignal, isBackground = false): Promise<void> | void {
    signal.throwIfAborted();
    if (isFree(isBackground) && line.length === 0 && (!isBackground || backgroundLine.length === 0))
      return occupy(isBackground);
    if (isBackground) return wait(backgroundLine, signal);
    if (line.length >= queueMax) throw queueFull(name, queueMax);
    return wait(line, signal);
  }

  function isFree(isBackground: boolean): boolean {
    return busy < slots && (!isBackground || busyInBackground < Math.max(1, slots - 1));
  }

  function occupy(isBackground: boolean): void {
    busy += 1;
    if (isBackground) busyInBackground += 1;
  }

  function wait(waiters: Waiter[], signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiters.splice(waiters.indexOf(waiter), 1);
        reject(signal.reason as Error);
      };
      const waiter = {
        grant: () => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      waiters.push(waiter);
    });
  }

  function release(isBackground = false): void {
    busy -= 1;
    if (isBackground) busyInBackground -= 1;
    grant();
    if (busy === 0) idleWaiters.splice(0).forEach((resolve) => resolve());
  }

  function grant(): void {
    for (;;) {
      const isBackground = line.length === 0;
      if (!isFree(isBackground)) return;
      const next = (isBackground ? backgroundLine : line).shift();
      if (!next) return;
      occupy(isBackground);
      next.grant();
    }
  }

  /** Slots in use stay in use. */
  function resize(count: number): void {
    slots = count;
    grant();
  }

  /** Resolves when no slot is in use. */
  async function idle(): Promise<void> {
    if (busy > 0) await new Promise<void>((resolve) => idleWaiters.push(resolve));
  }

  return {
    take,
    release,
    idle,
    resize,
    get slots() {
      return slots;
    },
    get isFull() {
      return busy >= slots;
    },
    get busy() {
      return busy;
    },
    get queued() {
      return line.length + backgroundLine.length;
    },
  };
}

export type Slots = ReturnType<typeof createSlots>;

function queueFull(name: string, queueMax: number): Failure {
  return new Failure(
    'queue_full',
    `"${name}" is busy and ${queueMax} requests are waiting for it already. Try again soon.`,
  );
}
