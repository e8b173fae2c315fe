import { coresOfOthers, msOfOthers, readMachineLoad, type MachineLoad } from './machine-load.ts';

const WINDOW_MS = 500;
/** After a longer pause, the load is measured anew. */
const STALE_MS = 4 * WINDOW_MS;
/** Our threads leave this much of the cores unused themselves, between two decodes. */
const UNUSED_CORES_MAX = 0.3;
/** How much work passes before one more thread is tried, the first time and after many that failed. */
const RETRY_MS = 10_000;
const RETRY_MS_MAX = 16 * RETRY_MS;

const NOTHING = { workedMs: 0, ownMs: 0, othersMs: 0 };

export type ThreadGovernor = {
  /** To be called often while the model works. */
  observe(): void;
  /** To be called when there is nothing more to do: what others use in the meantime takes no threads. */
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
 * token: if they outnumber the free cores, a token takes seconds instead of milliseconds. What counts is whether they
 * get their cores: programs of a lower priority use a core that we leave, but take none from us. So a thread is given
 * up only if ours lose time, and is tried again later. CPU steal does not count: it grows with use, and fewer threads
 * would then be slower.
 */
export function createThreadGovernor(options: ThreadGovernorOptions): ThreadGovernor {
  const { threadsMax, setThreads, readLoad = readMachineLoad, now = () => performance.now() } = options;
  let threads = threadsMax;
  let from: MachineLoad | undefined;
  /** When the last work ended, if a thread was given up then. */
  let restedFrom: MachineLoad | undefined;
  /** Since the last decision. */
  let window = NOTHING;
  let isTrying = false;
  let retryMs = RETRY_MS;
  let untilRetryMs = retryMs;

  function note(to: MachineLoad): void {
    if (!from) return;
    window = {
      workedMs: window.workedMs + to.atMs - from.atMs,
      ownMs: window.ownMs + to.ownMs - from.ownMs,
      othersMs: window.othersMs + msOfOthers(from, to),
    };
  }

  function adjust({ cores }: MachineLoad): void {
    const { workedMs, ownMs, othersMs } = window;
    window = NOTHING;
    const hasTried = isTrying;
    isTrying = false;
    const wanted = threadsFor(cores - othersMs / workedMs, threadsMax);
    const getsCores = threads - ownMs / workedMs <= UNUSED_CORES_MAX;
    if (wanted > threads) change(wanted);
    else if (getsCores) tryMore(workedMs);
    else if (wanted < threads) giveUp(wanted, hasTried);
  }

  /** After a pause in which others left cores idle, threads are taken back at once. */
  function takeBack(load: MachineLoad): void {
    if (!restedFrom || load.atMs - restedFrom.atMs < WINDOW_MS) return;
    const wanted = threadsFor(load.cores - coresOfOthers(restedFrom, load), threadsMax);
    if (wanted > threads) change(wanted);
  }

  function change(to: number): void {
    threads = to;
    setThreads(to);
  }

  function giveUp(wanted: number, hasTried: boolean): void {
    retryMs = hasTried ? Math.min(2 * retryMs, RETRY_MS_MAX) : RETRY_MS;
    untilRetryMs = retryMs;
    change(wanted);
  }

  function tryMore(workedMs: number): void {
    untilRetryMs -= workedMs;
    if (threads === threadsMax || untilRetryMs > 0) return;
    isTrying = true;
    change(threads + 1);
  }

  return {
    observe() {
      if (threadsMax === 1) return;
      const sinceMs = from ? now() - from.atMs : Infinity;
      if (from && window.workedMs + sinceMs < WINDOW_MS) return;
      const load = readLoad();
      if (sinceMs <= STALE_MS) {
        note(load);
        adjust(load);
      }
      takeBack(load);
      restedFrom = undefined;
      from = load;
    },
    rest() {
      if (!from) return;
      const load = readLoad();
      if (load.atMs - from.atMs <= STALE_MS) note(load);
      from = undefined;
      restedFrom = threads < threadsMax ? load : undefined;
    },
  };
}

/** As many threads as there are free cores; a core that others use less than half counts as free. */
function threadsFor(coresFree: number, threadsMax: number): number {
  return Math.min(Math.max(Math.round(coresFree), 1), threadsMax);
}
