import type { Clock } from '../base/clock.ts';
import type { ModelManifest, Placement } from '../runtime/manifest.ts';
import type { Store } from '../store/store.ts';

/** Where the layers of each model go, as its owner chose. */
export function createPlacements({ store, clock }: { store: Store; clock: Clock }) {
  return {
    attach(artifacts: readonly ModelManifest[]): ModelManifest[] {
      const rows = store
        .prepare<{ artifact_id: string; placement: string }>('SELECT artifact_id, placement FROM placements')
        .all();
      const placements = new Map(rows.map((row) => [row.artifact_id, row.placement]));
      return artifacts.map((artifact) => {
        const placement = placements.get(artifact.id);
        return placement === undefined
          ? artifact
          : { ...artifact, placement: JSON.parse(placement) as Placement };
      });
    },

    set: (artifactId: string, placement: Placement): void => {
      if (Object.keys(placement).length === 0)
        return void store.prepare('DELETE FROM placements WHERE artifact_id = ?').run(artifactId);
      store
        .prepare('INSERT OR REPLACE INTO placements(artifact_id, placement, created_at) VALUES(?, ?, ?)')
        .run(artifactId, JSON.stringify(placement), clock.now());
    },
  };
}
