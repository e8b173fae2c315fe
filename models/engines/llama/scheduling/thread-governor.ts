import { msOfOthers, readMachineLoad, type MachineLoad } from './machine-load.ts';

const WINDOW_MS = 500;
/** After a longer pause, the load is measured anew. */
const STALE_MS = 4 * WINDOW_MS;

export type ThreadGovernor = {
  /** To be called often while the model works. */
  observe(): void;
  /** To be called when there is nothing more to do: what others use in the meantime does not matter. */
  rest(): void;
};

export type ThreadGovernorOptions = {
  /** What calibration found best on this machine when idle. */
  threadsMax: number;
  setThreads: (threads: number) => void;
  readLoad?: () => MachineLoad;
  now?: () => number;
};

/**
 * Uses fewer threads while other programs need the cores. llama.cpp's threads spin at a barrier many hundred times a
 * token: if they outnumber the free cores, a token takes seconds instead of milliseconds. CPU steal does not count:
 * it grows with use, and fewer threads would then be slower.
 */
export function createThreadGovernor(options: ThreadGovernorOptions): ThreadGovernor {
  const { threadsMax, setThreads, readLoad = readMachineLoad, now = () => performance.now() } = options;
  let threads = threadsMax;
  let from: MachineLoad | undefined;
  /** Our own work since the last decision, and that of others in the same time. */
  let workedMs = 0;
  let othersMs = 0;

  function note(to: MachineLoad): void {
    if (!from) return;
    workedMs += to.atMs - from.atMs;
    othersMs += msOfOthers(from, to);
  }

  function adjust({ cores }: MachineLoad): void {
    const wanted = threadsFor(cores - othersMs / workedMs, threadsMax);
    [workedMs, othersMs] = [0, 0];
    if (wanted === threads) return;
    threads = wanted;
    setThreads(threads);
  }

  return {
    observe() {
      if (threadsMax === 1) return;
      const sinceMs = from ? now() - from.atMs : Infinity;
      if (from && workedMs + sinceMs < WINDOW_MS) return;
      const load = readLoad();
      if (sinceMs <= STALE_MS) {
        note(load);
        adjust(load);
      }
      from = load;
    },
    rest() {
      if (from && now() - from.atMs <= STALE_MS) note(readLoad());
      from = undefined;
    },
  };
}

/** As many threads as there are free cores; a core that others use less than half counts as free. */
function threadsFor(coresFree: number, threadsMax: number): number {
  return Math.min(Math.max(Math.round(coresFree), 1), threadsMax);
}
