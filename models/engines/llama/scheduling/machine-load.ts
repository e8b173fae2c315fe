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

/** Time in which the host of a virtual machine gave its cores to others. Only Linux tells, and Node does not pass it on. */
function readStolenMs(): number {
  if (process.platform !== 'linux') return 0;
  try {
    return stolenMsIn(readFileSync('/proc/stat', 'utf8'));
  } catch {
    // A sandbox may hide it.
    return 0;
  }
}

/** The kernel counts in hundredths of a second: user, nice, system, idle, iowait, irq, softirq, steal. */
export function stolenMsIn(stat: string): number {
  const [, stolen = '0'] = /^cpu +(?:\d+ +){7}(\d+)/.exec(stat) ?? [];
  return Number(stolen) * 10;
}

/** How many cores other programs kept busy between two readings. */
export function coresOfOthers(from: MachineLoad, to: MachineLoad): number {
  return Math.max(0, msOfOthers(from, to)) / (to.atMs - from.atMs);
}

/** Below zero where the machine's time, which is counted in larger units than our own, lags behind. */
export function msOfOthers(from: MachineLoad, to: MachineLoad): number {
  return to.machineMs - from.machineMs - (to.ownMs - from.ownMs);
}

/** How many cores were wanted between two readings that the host did not give. */
export function coresStolen(from: MachineLoad, to: MachineLoad): number {
  return (to.stolenMs - from.stolenMs) / (to.atMs - from.atMs);
}
