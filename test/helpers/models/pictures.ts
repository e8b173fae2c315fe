import { writeNoiseImageModel } from '../../../scripts/fixtures/images/noise-model.ts';
import { createCalibrations } from '../../../src/library/calibrations.ts';
import type { ModelManifest } from '../../../src/runtime/manifest.ts';
import type { Services } from '../../../daemon/compose.ts';
import { makeOnce } from './models.ts';

/** An image model in the engine's real format whose images are the noise of their seed, 16 by 16 pixels. */
export async function noiseImageModel(options: { hasEncoder?: boolean } = {}): Promise<ModelManifest> {
  const path = await makeOnce('noise-painter', options, (file) => writeNoiseImageModel(file, options));
  return {
    id: 'painter',
    name: 'Noise painter',
    engine: 'diffusion',
    tasks: ['draw'],
    services: [],
    tier: 'imported',
    licence: 'Apache-2.0',
    path,
    bytes: 417_000_000,
    contextTokensMax: 0,
    drawing: { side: 16, steps: 4, guidance: 1, negativeGuidance: 2 },
  };
}

/** Installs it as if it had been pulled. One thread, since several would wait for each other on a busy machine. */
export function installImageModel({ library, store, clock }: Services, manifest: ModelManifest): void {
  library.install(manifest, []);
  createCalibrations({ store, clock }).keep(manifest, { threads: 1, measurements: [] });
}
