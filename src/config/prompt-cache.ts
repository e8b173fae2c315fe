import { machineMemoryBytes } from './memory-budget.ts';

const MACHINE_SHARE = 1 / 8;
const BYTES_MAX = 8 * 1024 ** 3;

/** What a model's prompt cache holds, and how many requests continued from it. */
export type PromptCacheCounts = { bytes: number; bytesMax: number; entries: number; hits: number };

export function promptCacheBytes(): number {
  return Math.floor(Math.min(machineMemoryBytes() * MACHINE_SHARE, BYTES_MAX));
}
