import type { Store } from '../../store/store.ts';
import type { HubCache } from '../hub/cache.ts';
import type { Hash } from '../hub/client.ts';

export type InstalledFile = {
  /** The path under which engines open it. */
  path: string;
  /** Where its bytes are. */
  blob: string;
  bytes: number;
  hash: Hash;
  /** Whether askd downloaded it; files that were already there are never deleted. */
  isFetched: boolean;
};

type Row = {
  path: string;
  blob: string;
  bytes: number;
  hash_kind: Hash['kind'];
  hash: string;
  is_fetched: number;
};

/** The verified files of each downloaded artifact, for deleting and for verifying them again. */
export function createArtifactFiles({ store, cache }: { store: Store; cache: HubCache }) {
  function of(artifactId: string): InstalledFile[] {
    return store
      .prepare<Row>('SELECT * FROM artifact_files WHERE artifact_id = ? ORDER BY path')
      .all(artifactId)
      .map((row) => ({
        path: row.path,
        blob: row.blob,
        bytes: row.bytes,
        hash: { kind: row.hash_kind, value: row.hash },
        isFetched: row.is_fetched === 1,
      }));
  }

  return {
    of,

    keep(artifactId: string, files: readonly InstalledFile[]): void {
      const insert = store.prepare(
        `INSERT OR REPLACE INTO artifact_files(artifact_id, path, blob, bytes, hash_kind, hash, is_fetched)
         VALUES(?, ?, ?, ?, ?, ?, ?)`,
      );
      for (const { path, blob, bytes, hash, isFetched } of files) {
        insert.run(artifactId, path, blob, bytes, hash.kind, hash.value, isFetched ? 1 : 0);
      }
    },

    /** The files to delete with an artifact. Files that another artifact uses are kept. */
    release(artifactId: string): InstalledFile[] {
      return of(artifactId).filter(({ path, blob, isFetched }) => {
        if (!isFetched) return false;
        store
          .prepare('UPDATE artifact_files SET is_fetched = 1 WHERE blob = ? AND artifact_id <> ?')
          .run(blob, artifactId);
        const others = store
          .prepare('SELECT 1 FROM artifact_files WHERE path = ? AND artifact_id <> ?')
          .all(path, artifactId);
        return others.length === 0;
      });
    },

    /** Returns the number of bytes freed. */
    erase: (files: readonly InstalledFile[]): number =>
      files.reduce((freed, { path, blob }) => freed + cache.remove(path, blob), 0),
  };
}
