import { cpus } from 'node:os';
import type { Clock } from '../base/clock.ts';
import type { ModelManifest } from '../runtime/manifest.ts';
import type { Store } from '../store/store.ts';

type Measured = { threads: number; measurements: readonly { threads: number; msPerToken: number }[] };

/** How fast one model generated on this machine, from which the speed of others is estimated. */
export type MachineSpeed = {
  /** Tokens per second of one request. */
  tokensPerSecond: number;
  weightBytes: number;
  device: string;
  /** The memory of the graphics cards that it ran on; null for a processor, and for a card that shares its memory. */
  cardBytes: number | null;
  /** Whether other programs left the machine alone during the measurement. */
  isCalm: boolean;
  measuredAt: number;
};

/** The row that describes the machine itself. */
const MACHINE = 'machine';

/** The fastest thread count per model file, and the speed of the machine, so that each is measured only once. */
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

    machineSpeed(): MachineSpeed | undefined {
      const row = store
        .prepare<{ measurements: string; createdAt: number }>(
          'SELECT measurements, created_at AS createdAt FROM calibrations WHERE artifact = ? AND machine = ?',
        )
        .get(MACHINE, machine);
      if (!row) return undefined;
      return {
        ...(JSON.parse(row.measurements) as Omit<MachineSpeed, 'measuredAt'>),
        measuredAt: row.createdAt,
      };
    },

    keepMachineSpeed(speed: Omit<MachineSpeed, 'measuredAt'>, threads: number): void {
      store
        .prepare(
          `INSERT OR REPLACE INTO calibrations(artifact, machine, threads, measurements, created_at)
           VALUES(?, ?, ?, ?, ?)`,
        )
        .run(MACHINE, machine, threads, JSON.stringify(speed), clock.now());
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
