import type { Clock } from '../../base/clock.ts';
import type { Store } from '../../store/store.ts';

/** Additional names for artifacts. */
export function createAliases({ store, clock }: { store: Store; clock: Clock }) {
  return {
    target: (alias: string): string | undefined =>
      store.prepare<{ artifact_id: string }>('SELECT artifact_id FROM aliases WHERE alias = ?').get(alias)
        ?.artifact_id,
    of: (artifactId: string): string[] =>
      store
        .prepare<{ alias: string }>('SELECT alias FROM aliases WHERE artifact_id = ? ORDER BY alias')
        .all(artifactId)
        .map(({ alias }) => alias),
    set(alias: string, artifactId: string): void {
      store
        .prepare('INSERT OR REPLACE INTO aliases(alias, artifact_id, created_at) VALUES(?, ?, ?)')
        .run(alias, artifactId, clock.now());
    },
    remove: (alias: string): boolean =>
      store.prepare('DELETE FROM aliases WHERE alias = ?').run(alias).changes > 0,
  };
}
