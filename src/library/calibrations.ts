import { cpus } from 'node:os';
import type { Clock } from '../base/clock.ts';
import type { ModelManifest } from '../runtime/manifest.ts';
import type { Store } from '../store/store.ts';

type Measured = { threads: number; measurements: readonly { threads: number; msPerToken: number }[] };

/** The fastest thread count per model file and machine, so that it is measured only once. */
export function createCalibrations({ store, clock }: { store: Store; clock: Clock }) {
  const machine = describeMachine();

  return {
    threadsFor(manifest: ModelManifest): number | undefined {
      const row = store
        .prepare<{ threads: number }>('SELECT threads FROM calibrations WHERE artifact = ? AND machine = ?')
        .get(fingerprint(manifest), machine);
      return row?.threads;
    },

    keep(manifest: ModelManifest, { threads, measurements }: Measured): void {
      store
        .prepare(
          `INSERT OR REPLACE INTO calibrations(artifact, machine, threads, measurements, created_at)
           VALUES(?, ?, ?, ?, ?)`,
        )
        .run(fingerprint(manifest), machine, threads, JSON.stringify(measurements), clock.now());
    },
  };
}

export type Calibrations = ReturnType<typeof createCalibrations>;

function fingerprint({ id, path, bytes }: ModelManifest): string {
  return `${id} ${path} ${bytes}`;
}

function describeMachine(): string {
  const cores = cpus();
  return `${cores[0]?.model ?? process.arch} x${cores.length}`;
}
