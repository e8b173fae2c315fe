import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { syntheticBytes, writeSyntheticModel } from '../gguf/synthetic-model.ts';
import type { Calibrations, MachineSpeed } from '../library/calibrations.ts';
import type { ModelManifest } from '../runtime/manifest.ts';
import type { Pool } from '../runtime/pool.ts';
import type { Runner } from '../runtime/runner.ts';
import { ask, userSays } from './cases/answers.ts';
import { syntheticManifest } from './cases/synthetic-manifest.ts';

export type MachineSpeeds = ReturnType<typeof createMachineSpeeds>;

const TOKENS = 64;
const CONTEXT_TOKENS = 2048;
/** The first answer warms up; the best of the others is the speed without interference. */
const ROUNDS = 3;

/**
 * Measures how fast this machine generates, using a model of random weights that is created for this and deleted
 * afterwards.
 */
export function createMachineSpeeds({ pool, calibrations }: { pool: Pool; calibrations: Calibrations }) {
  let running: Promise<MachineSpeed> | undefined;

  async function measure(signal: AbortSignal): Promise<MachineSpeed> {
    const folder = await mkdtemp(join(tmpdir(), 'askd-speed-'));
    const path = join(folder, 'synthetic.gguf');
    const manifest = syntheticManifest({ path, contextTokensMax: CONTEXT_TOKENS });
    try {
      await writeSyntheticModel(manifest.path);
      using lease = await pool.lease(manifest, signal);
      const tokensPerSecond = await bestRound(manifest, pool, signal);
      const { device, graphics, threads, calibration } = lease.runner.description;
      const cardBytes = graphics && !graphics.isShared && device !== 'cpu' ? graphics.totalBytes : null;
      const isCalm = calibration?.isCalm ?? true;
      const speed = { tokensPerSecond, weightBytes: syntheticBytes(), device, cardBytes, isCalm };
      calibrations.keepMachineSpeed(speed, threads);
    } finally {
      await pool.stop(manifest.id);
      await rm(folder, { recursive: true, force: true });
    }
    const speed = calibrations.machineSpeed();
    if (!speed) throw new Error('The speed of the machine was not kept');
    return speed;
  }

  return {
    find: () => calibrations.machineSpeed(),

    /** Concurrent callers share one measurement. */
    measure(signal: AbortSignal): Promise<MachineSpeed> {
      running ??= measure(signal).finally(() => (running = undefined));
      return running;
    },
  };
}

async function bestRound(manifest: ModelManifest, pool: Pool, signal: AbortSignal): Promise<number> {
  const subject = {
    async withSlot<Result>(work: (runner: Runner) => Promise<Result>): Promise<Result> {
      using slot = await pool.slot(manifest, signal);
      return await work(slot.runner);
    },
  };
  let best = 0;
  for (let round = 0; round <= ROUNDS; round++) {
    const wanted = { ...userSays(`Round ${round}`), maxTokens: TOKENS };
    const { completionTokens, decodeSeconds } = await ask(subject, wanted, signal);
    if (round > 0 && decodeSeconds > 0) best = Math.max(best, (completionTokens - 1) / decodeSeconds);
  }
  if (best === 0) throw new Error('The synthetic model generated nothing');
  return best;
}
