import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from './client.ts';
import type { SoakHome } from './home.ts';

const FULL_MS = 5_000;

export type Faults = { kills: number; fills: number; steps: number };

/** Kills a loaded runner, as the system does when memory is short. */
export async function killRunner({ ask }: Client, faults: Faults): Promise<void> {
  const text = await ask('/api/daemon/ps');
  const { models } = JSON.parse(text ?? '{"models":[]}') as { models: { pid: number | null }[] };
  const pids = models.flatMap(({ pid }) => pid ?? []);
  const pid = pids[faults.kills % Math.max(1, pids.length)];
  if (pid === undefined) return;
  try {
    process.kill(pid, 'SIGKILL');
    faults.kills += 1;
  } catch {
    // It was unloaded meanwhile.
  }
}

const HOUR_MS = 3_600_000;
const OFFSETS = [HOUR_MS, 0, -HOUR_MS, 0] as const;

/** An hour ahead, back, an hour behind, and back to normal. */
export function stepClock(home: SoakHome, faults: Faults): void {
  home.setClock(OFFSETS[faults.steps % OFFSETS.length] ?? 0);
  faults.steps += 1;
}

export async function fillDisk(home: SoakHome, faults: Faults): Promise<void> {
  if (!home.fill) return;
  try {
    home.fill();
    faults.fills += 1;
    await sleep(FULL_MS);
  } finally {
    home.free();
  }
}
