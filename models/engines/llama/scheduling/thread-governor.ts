import { msOfOthers, readMachineLoad, type MachineLoad } from './machine-load.ts';

const WINDOW_MS = 500;
/** After a longer pause the machine is measured afresh. */
const STALE_MS = 4 * WINDOW_MS;

export type ThreadGovernor = {
  /** To be called often while the model works. */
  observe(): void;
  /** To be called when it has nothing more to do: what others use until it works again is no matter. */
  rest(): void;
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
  let threads = threadsMax;
  let from: MachineLoad | undefined;
  /** Of the work since the threads were last judged, and of others in that time. */
  let workedMs = 0;
  let othersMs = 0;

  function note(to: MachineLoad): void {
    if (!from) return;
    workedMs += to.atMs - from.atMs;
    othersMs += msOfOthers(from, to);
  }

  function judge({ cores }: MachineLoad): void {
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
        judge(load);
      }
      from = load;
    },
    rest() {
      if (from && now() - from.atMs <= STALE_MS) note(readLoad());
      from = undefined;
    },
  };
}

/** As many threads as there are cores that others leave free; a core they use less than half counts as free. */
function threadsFor(coresFree: number, threadsMax: number): number {
  return Math.min(Math.max(Math.round(coresFree), 1), threadsMax);
}
