import type { Clock } from '../base/clock.ts';
import type { ModelManifest } from '../runtime/manifest.ts';
import type { Store } from '../store/store.ts';
import type { StepResult } from './step.ts';
import type { Verdict } from './verdict.ts';

/** The result of a check on this machine. */
export type Check = {
  artifact: string;
  verdict: Verdict;
  summary: string;
  isFull: boolean;
  steps: readonly StepResult[];
  tokensPerSecond: Readonly<Record<string, number>>;
  checkedAt: number;
};

type Row = Pick<Check, 'artifact' | 'verdict' | 'summary'> & {
  isFull: number;
  steps: string;
  speed: string;
  checkedAt: number;
};

export type KeptChecks = ReturnType<typeof createKeptChecks>;

/** The last check of each model file. Another file under the same name has no result. */
export function createKeptChecks({ store, clock }: { store: Store; clock: Clock }) {
  return {
    find(manifest: ModelManifest): Check | undefined {
      const row = store
        .prepare<Row>(
          `SELECT artifact, verdict, summary, is_full AS isFull, steps, tokens_per_second AS speed, checked_at AS checkedAt
           FROM model_checks WHERE fingerprint = ?`,
        )
        .get(fingerprint(manifest));
      if (!row) return undefined;
      const { isFull, steps, speed, ...rest } = row;
      return {
        ...rest,
        isFull: isFull === 1,
        steps: JSON.parse(steps) as StepResult[],
        tokensPerSecond: JSON.parse(speed) as Record<string, number>,
      };
    },

    keep(manifest: ModelManifest, check: Omit<Check, 'artifact' | 'checkedAt'>): Check {
      const kept = { ...check, artifact: manifest.id, checkedAt: clock.now() };
      store
        .prepare(
          `INSERT OR REPLACE INTO model_checks(fingerprint, artifact, verdict, summary, is_full, steps, tokens_per_second, checked_at)
           VALUES(?, ?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(
          fingerprint(manifest),
          manifest.id,
          kept.verdict,
          kept.summary,
          kept.isFull ? 1 : 0,
          JSON.stringify(kept.steps),
          JSON.stringify(kept.tokensPerSecond),
          kept.checkedAt,
        );
      return kept;
    },
  };
}

function fingerprint({ id, path, bytes }: ModelManifest): string {
  return `${id} ${path} ${bytes}`;
}
