import { writeFile } from 'node:fs/promises';
import type { Settings } from '../../src/config/config.ts';
import type { Clock } from '../../src/base/clock.ts';
import { createChecks, type CheckOptions } from '../../src/check/check.ts';
import { createKeptChecks } from '../../src/check/kept-checks.ts';
import { createMachineSpeeds } from '../../src/check/machine-speed.ts';
import type { Subject } from '../../src/check/step.ts';
import type { Calibrations } from '../../src/library/calibrations.ts';
import type { Library } from '../../src/library/library.ts';
import type { Pool } from '../../src/runtime/pool.ts';
import type { Store } from '../../src/store/store.ts';

type Parts = Pick<CheckOptions, 'pool' | 'estimate'> & {
  settings: Settings;
  store: Store;
  clock: Clock;
  library: Library;
  calibrations: Calibrations;
};

export function composeChecks({ settings, store, clock, library, calibrations, pool, estimate }: Parts) {
  const { uploads } = settings.paths;
  const kept = createKeptChecks({ store, clock });
  return {
    checks: createChecks({ kept, pool, estimate, uploads, speak: speakerOf(library, pool) }),
    machineSpeeds: createMachineSpeeds({ pool, calibrations }),
  };
}

const VOICE = 'svc-tts-v1';

/** The voice of this machine speaks for the models that transcribe. */
function speakerOf(library: Library, pool: Pool): () => Subject['speak'] {
  return () => {
    const manifest = library.boundArtifact(VOICE);
    const voice = manifest?.speech?.voices['alloy'];
    if (!manifest || voice === undefined || !library.isPresent(manifest)) return undefined;
    return async (text, path, signal) => {
      using slot = await pool.slot(manifest, signal);
      const parts: Uint8Array[] = [];
      const request = { text, voice, speed: 1, format: 'wav' as const };
      for await (const event of slot.runner.speak?.(request, signal) ?? []) {
        if (event.type === 'sound') parts.push(event.bytes);
      }
      signal.throwIfAborted();
      await writeFile(path, Buffer.concat(parts));
    };
  };
}
