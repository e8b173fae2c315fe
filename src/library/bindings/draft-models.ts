import type { Clock } from '../../base/clock.ts';
import { Failure } from '../../base/errors.ts';
import type { ModelManifest } from '../../runtime/manifest.ts';
import type { Store } from '../../store/store.ts';
import { modelNotFound } from '../missing.ts';

type Parts = { store: Store; clock: Clock; findArtifact: (name: string) => ModelManifest | undefined };

/** Which smaller model drafts for which larger one. */
export function createDrafts({ store, clock, findArtifact }: Parts) {
  return {
    attach(artifacts: readonly ModelManifest[]): ModelManifest[] {
      const rows = store
        .prepare<{ artifact_id: string; draft_id: string }>('SELECT artifact_id, draft_id FROM drafts')
        .all();
      const draftIds = new Map(rows.map((row) => [row.artifact_id, row.draft_id]));
      return artifacts.map((artifact) => {
        const draft = artifacts.find(({ id }) => id === draftIds.get(artifact.id));
        return draft
          ? { ...artifact, draft: { id: draft.id, path: draft.path, bytes: draft.bytes } }
          : artifact;
      });
    },

    /** Sets the draft model of an artifact, or removes it. */
    bind: (artifactId: string, draftId: string | undefined): void => {
      const artifact = findArtifact(artifactId);
      if (!artifact) throw modelNotFound(artifactId, 'artifact');
      const draft = draftId === undefined ? undefined : findArtifact(draftId);
      if (draftId !== undefined && !draft) throw modelNotFound(draftId, 'draft');
      if (!draft) return void store.prepare('DELETE FROM drafts WHERE artifact_id = ?').run(artifact.id);
      const wrong = whyNot(artifact, draft);
      if (wrong) throw new Failure('model_capability_mismatch', wrong, { param: 'draft' });
      store
        .prepare('INSERT OR REPLACE INTO drafts(artifact_id, draft_id, created_at) VALUES(?, ?, ?)')
        .run(artifact.id, draft.id, clock.now());
    },

    /** The models that this one drafts for. */
    boundBy: (draftId: string): string[] =>
      store
        .prepare<{ artifact_id: string }>(
          'SELECT artifact_id FROM drafts WHERE draft_id = ? ORDER BY artifact_id',
        )
        .all(draftId)
        .map((row) => row.artifact_id),
  };
}

/** Whether their vocabularies match is checked when the model is loaded. */
function whyNot(artifact: ModelManifest, draft: ModelManifest): string | undefined {
  if (artifact.id === draft.id) return `"${artifact.id}" cannot be its own draft model.`;
  const other = [artifact, draft].find(({ engine, tasks }) => engine !== 'llama' || !tasks.includes('chat'));
  if (!other) return undefined;
  return `"${other.id}" runs on ${other.engine} and does ${other.tasks.join(', ')}; draft models must be chat models of the llama engine.`;
}
