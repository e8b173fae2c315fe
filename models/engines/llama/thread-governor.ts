import { coresOfOthers, readMachineLoad, type MachineLoad } from './machine-load.ts';

const WINDOW_MS = 500;
/** After a longer pause the machine is measured afresh. */
const STALE_MS = 4 * WINDOW_MS;

export type ThreadGovernor = {
  /** To be called often while the model works. */
  observe(): void;
};

export type ThreadGovernorOptions = {
  /** What calibration found best on this machine at rest. */
  threadsMax: number;
  setThreads: (threads: number) => void;
  readLoad?: () => MachineLoad;
  now?: () => number;
};

/**
 * Uses fewer threads while other programs need the cores. llama.cpp's threads wait for each other many hundred times a
 * token without giving up their core: where they outnumber the free cores, a token takes seconds instead of milliseconds.
 * What the host of a virtual machine takes is another matter: it takes more the more is used, and fewer threads are slower.
 */
export function createThreadGovernor(options: ThreadGovernorOptions): ThreadGovernor {
  const { threadsMax, setThreads, readLoad = readMachineLoad, now = () => performance.now() } = options;
  let last: MachineLoad | undefined;
  let threads = threadsMax;
  return {
    observe() {
      if (threadsMax === 1 || (last && now() - last.atMs < WINDOW_MS)) return;
      const load = readLoad();
      const wanted = last && load.atMs - last.atMs <= STALE_MS ? threadsFor(last, load, threadsMax) : threads;
      last = load;
      if (wanted === threads) return;
      threads = wanted;
      setThreads(threads);
    },
  };
}

/** As many threads as there are cores that others leave free; a core they use less than half counts as free. */
function threadsFor(from: MachineLoad, to: MachineLoad, threadsMax: number): number {
  const free = Math.round(to.cores - coresOfOthers(from, to));
  return Math.min(Math.max(free, 1), threadsMax);
}
