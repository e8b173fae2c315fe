import type { Method } from './engine.ts';

/** What one run of native code may take long over, and nothing but the end of its process interrupts. */
const UNINTERRUPTIBLE: readonly Method[] = ['transcribe', 'speak'];

type StuckOptions = {
  /** How long a call may go on after it was cancelled. */
  graceMs: number;
  /** The calls that somebody waits for. */
  open: () => readonly number[];
  kill: () => void;
};

/** Ends a runner that goes on with work that nobody wants any more, unless others need it. The next call starts a new one. */
export function watchCancelled({ graceMs, open, kill }: StuckOptions) {
  const timers = new Map<number, NodeJS.Timeout>();

  function look(id: number): void {
    const isNeeded = open().some((other) => !timers.has(other));
    if (isNeeded) timers.get(id)?.refresh();
    else kill();
  }

  return {
    onCancel(id: number, method: Method): void {
      if (!UNINTERRUPTIBLE.includes(method) || timers.has(id)) return;
      timers.set(id, setTimeout(() => look(id), graceMs).unref());
    },
    onDone(id: number): void {
      clearTimeout(timers.get(id));
      timers.delete(id);
    },
    stop(): void {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}
