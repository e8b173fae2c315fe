import type { Method } from './wire.ts';

/** Methods whose native code can run long and cannot be interrupted except by ending the process. */
const UNINTERRUPTIBLE: readonly Method[] = ['transcribe', 'speak'];

type StuckOptions = {
  /** How long a call may run after it was cancelled. */
  graceMs: number;
  /** The calls that a client is still waiting for. */
  open: () => readonly number[];
  kill: () => void;
};

/** Kills a runner that is stuck in cancelled work, unless other calls need it. The next call starts a new one. */
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
