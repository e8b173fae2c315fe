import { totalmem } from 'node:os';

const MACHINE_SHARE = 0.8;

/** Most of the memory of the machine or its container; the rest is for everything else that runs. */
export function memoryBudgetBytes(): number {
  return Math.floor(machineMemoryBytes() * MACHINE_SHARE);
}

export function machineMemoryBytes(): number {
  const limit = process.constrainedMemory() || Number.MAX_SAFE_INTEGER;
  return Math.min(totalmem(), limit);
}
