import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** CPU time since some fixed moment. */
export type MachineLoad = { atMs: number; cores: number; machineMs: number; ownMs: number; stolenMs: number };

export function readMachineLoad(): MachineLoad {
  const cores = cpus();
  const own = process.cpuUsage();
  return {
    atMs: performance.now(),
    cores: cores.length,
    machineMs: cores.reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0),
    ownMs: (own.user + own.system) / 1000,
    stolenMs: readStolenMs(),
  };
}

/**
 * CPU steal: time that the host of a virtual machine gave to others. Only Linux reports it, and Node does not expose
 * it.
 */
function readStolenMs(): number {
  if (process.platform !== 'linux') return 0;
  try {
    return stolenMsIn(readFileSync('/proc/stat', 'utf8'));
  } catch {
    // A sandbox may hide it.
    return 0;
  }
}

/** Hundredths of a second: user, nice, system, idle, iowait, irq, softirq, steal. */
export function stolenMsIn(stat: string): number {
  const [, stolen = '0'] = /^cpu +(?:\d+ +){7}(\d+)/.exec(stat) ?? [];
  return Number(stolen) * 10;
}

/** How many cores other programs kept busy between two samples. */
export function coresOfOthers(from: MachineLoad, to: MachineLoad): number {
  return Math.max(0, msOfOthers(from, to)) / (to.atMs - from.atMs);
}

/** Below zero if the machine's time, which is counted in coarser units than ours, lags behind. */
export function msOfOthers(from: MachineLoad, to: MachineLoad): number {
  return to.machineMs - from.machineMs - (to.ownMs - from.ownMs);
}

/** How many cores were wanted between two samples but not given by the host. */
export function coresStolen(from: MachineLoad, to: MachineLoad): number {
  return (to.stolenMs - from.stolenMs) / (to.atMs - from.atMs);
}
