import { readFileSync } from 'node:fs';

/** A step may wait so many times longer than it may work: what waits for something that never comes has to end too. */
const WAITING_FACTOR = 10;

export type TimeLimit = { spentMs: () => number; end: () => void };

/**
 * Calls `onLate` once a process has worked for longer than its limit. What counts is its processor time, so that a
 * busy machine makes nobody late; the clock where it says less, because several threads work at the same time.
 */
export function limitTime(pid: number, msMax: number, onLate: () => void): TimeLimit {
  const [startedAt, workedMs] = [performance.now(), processorMs(pid)];
  let timer = setTimeout(look, msMax);

  function spentMs(): number {
    const [elapsed, worked] = [performance.now() - startedAt, processorMs(pid) - workedMs];
    return Number.isNaN(worked) ? elapsed : Math.min(elapsed, worked);
  }

  function look(): void {
    const waitMs = msMax * WAITING_FACTOR - (performance.now() - startedAt);
    const leftMs = Math.min(msMax - spentMs(), waitMs);
    if (leftMs <= 0) return onLate();
    timer = setTimeout(look, leftMs);
  }

  return { spentMs, end: () => clearTimeout(timer) };
}

/** In steps of 10 ms; NaN where there is no /proc, and of a process that has ended. */
function processorMs(pid: number): number {
  try {
    // The name, in brackets, may have spaces.
    const [, facts = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
    const [user, system] = facts.split(' ').slice(11, 13);
    return 10 * (Number(user) + Number(system));
  } catch {
    return NaN;
  }
}
