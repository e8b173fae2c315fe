import { cpus } from 'node:os';

const WINDOW_MS = 500;
/** After a longer pause the machine is measured afresh. */
const STALE_MS = 4 * WINDOW_MS;

/** CPU time since some fixed moment. */
export type MachineLoad = { atMs: number; cores: number; machineMs: number; ownMs: number };

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
  const elapsedMs = to.atMs - from.atMs;
  const othersMs = Math.max(0, to.machineMs - from.machineMs - (to.ownMs - from.ownMs));
  const free = Math.round(to.cores - othersMs / elapsedMs);
  return Math.min(Math.max(free, 1), threadsMax);
}

export function readMachineLoad(): MachineLoad {
  const cores = cpus();
  const own = process.cpuUsage();
  return {
    atMs: performance.now(),
    cores: cores.length,
    machineMs: cores.reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0),
    ownMs: (own.user + own.system) / 1000,
  };
}
