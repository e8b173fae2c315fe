import { Failure } from '../base/errors.ts';

export type SlotOptions = { slots: number; queueMax: number; name: string };

/** A counting semaphore with a bounded queue, first come, first served. A request that gives up leaves the queue. */
export function createSlots({ slots: slotsMax, queueMax, name }: SlotOptions) {
  let slots = slotsMax;
  const line: { grant: () => void }[] = [];
  const idleWaiters: (() => void)[] = [];
  let busy = 0;

  function take(signal: AbortSignal): Promise<void> | void {
    signal.throwIfAborted();
    if (busy < slots && line.length === 0) {
      busy += 1;
      return;
    }
    if (line.length >= queueMax) throw queueFull(name, queueMax);
    return wait(signal);
  }

  function wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        line.splice(line.indexOf(waiter), 1);
        reject(signal.reason as Error);
      };
      const waiter = {
        grant: () => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      line.push(waiter);
    });
  }

  function release(): void {
    const next = busy > slots ? undefined : line.shift();
    if (next) return next.grant();
    busy -= 1;
    if (busy === 0) idleWaiters.splice(0).forEach((resolve) => resolve());
  }

  /** Slots in use stay in use. */
  function resize(count: number): void {
    slots = count;
    for (; busy < slots && line.length > 0; busy++) line.shift()?.grant();
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
    get busy() {
      return busy;
    },
    get queued() {
      return line.length;
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
