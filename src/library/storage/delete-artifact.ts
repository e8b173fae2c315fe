import { existsSync, rmSync, statSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { Failure } from '../../base/errors.ts';
import type { ModelManifest } from '../../runtime/manifest.ts';
import type { Store } from '../../store/store.ts';
import type { createAdapters } from '../adapters/adapters.ts';
import type { createAliases } from '../bindings/aliases.ts';
import type { createArtifactFiles } from './artifact-files.ts';
import { deleteFile } from './delete-file.ts';
import { findDeletable } from './find-deletable.ts';
import { removeEmptyFolders } from './remove-empty-folders.ts';

export type Deleted = { id: string; freedBytes: number; kept: string[] };

type Parts = {
  store: Store;
  files: ReturnType<typeof createArtifactFiles>;
  aliases: ReturnType<typeof createAliases>;
  modelsFolder: string;
  artifacts: () => ModelManifest[];
  isShipped: (artifact: ModelManifest) => boolean;
  servicesOf: (artifactId: string) => string[];
  /** The models that use it as their draft model. */
  draftsFor: (artifactId: string) => string[];
  /** The services for which it is a fallback. */
  fallbackFor: (artifactId: string) => string[];
  forgetBindings: (artifactId: string) => void;
  adapters: Pick<ReturnType<typeof createAdapters>, 'list' | 'forget'>;
};

export function createDeleteArtifact({
  store,
  files,
  aliases,
  modelsFolder,
  artifacts,
  isShipped,
  servicesOf,
  draftsFor,
  fallbackFor,
  forgetBindings,
  adapters,
}: Parts) {
  /** Deletes the row and everything that refers to it. Returns the files that nothing else uses; they still exist. */
  function forget(id: string) {
    return store.transaction(() => {
      const orphaned = files.release(id);
      forgetBindings(id);
      store.prepare('DELETE FROM drafts WHERE ? IN (artifact_id, draft_id)').run(id);
      store.prepare('DELETE FROM placements WHERE artifact_id = ?').run(id);
      adapters.forget(id);
      store.prepare('DELETE FROM artifacts WHERE id = ?').run(id);
      return orphaned;
    });
  }

  /** Removes an artifact or an alias. Files that askd downloaded are deleted unless something else uses them. */
  return function remove(asked: string, { force }: { force: boolean }): Deleted {
    if (aliases.remove(asked)) return { id: asked, freedBytes: 0, kept: [] };
    const artifact = findDeletable(asked, artifacts());
    const name = artifact.id;
    if (isShipped(artifact)) {
      throw new Failure(
        'model_in_use',
        `"${name}" ships with askd and cannot be removed; it takes ${artifact.bytes} bytes.`,
      );
    }
    const services = servicesOf(name);
    if (services.length > 0 && !force) throw bound(name, services);
    const [helped] = fallbackFor(name);
    if (helped !== undefined && !force) throw fallbackOf(name, helped);
    const [larger] = draftsFor(name);
    if (larger !== undefined && !force) throw drafting(name, larger);
    const own = adapters.list().find(({ base }) => base === name);
    if (own && !force) throw adapting(name, own.name);
    const orphaned = forget(name);
    const isCopy = artifact.path.startsWith(modelsFolder + sep);
    const paths = [artifact.path, ...Object.values(artifact.files ?? {})];
    if (isCopy) for (const path of paths) deletePath(path);
    const freedBytes = files.erase(orphaned) + (isCopy ? artifact.bytes : 0);
    if (isCopy) for (const { path } of orphaned) removeEmptyFolders(dirname(path), modelsFolder);
    return { id: name, freedBytes, kept: [...new Set(paths)].filter((path) => existsSync(path)) };
  };
}

function deletePath(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    rmSync(path, { recursive: true, force: true });
  else deleteFile(path);
}

function bound(name: string, services: readonly string[]): Failure {
  return new Failure(
    'model_in_use',
    `"${name}" serves ${services.join(', ')}. Bind another first (askd bind ${services[0] ?? ''} OTHER), or remove it ` +
      `anyway: askd rm --force ${name}`,
  );
}

function fallbackOf(name: string, service: string): Failure {
  return new Failure(
    'model_in_use',
    `"${name}" is a fallback of ${service}. Unbind it first (askd bind ${service} OTHER --no-fallback), or remove it ` +
      `anyway: askd rm --force ${name}`,
  );
}

function drafting(name: string, larger: string): Failure {
  return new Failure(
    'model_in_use',
    `"${name}" is the draft model of "${larger}". Unbind it first (askd bind SERVICE ${larger} --no-draft), or remove it ` +
      `anyway: askd rm --force ${name}`,
  );
}

function adapting(name: string, adapter: string): Failure {
  return new Failure(
    'model_in_use',
    `"${name}" has the adapter "${adapter}". Remove it first (askd adapter rm ${adapter}), or both: askd rm --force ${name}`,
  );
}
