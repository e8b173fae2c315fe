import { cpus } from 'node:os';

/** CPU time since some fixed moment. */
export type MachineLoad = { atMs: number; cores: number; machineMs: number; ownMs: number };

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

/** How many cores other programs kept busy between two readings. */
export function coresOfOthers(from: MachineLoad, to: MachineLoad): number {
  const othersMs = to.machineMs - from.machineMs - (to.ownMs - from.ownMs);
  return Math.max(0, othersMs) / (to.atMs - from.atMs);
}
