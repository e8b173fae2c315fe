import { existsSync } from 'node:fs';
import type { Clock } from '../clock.ts';
import { Failure } from '../errors.ts';
import type { ModelManifest } from '../runtime/manifest.ts';
import type { Store } from '../store/store.ts';
import { importFile, type ImportOptions } from './import.ts';
import { findServiceModel, SERVICE_MODELS } from './service-models.ts';

export type Library = ReturnType<typeof createLibrary>;

export type LibraryOptions = {
  store: Store;
  clock: Clock;
  /** Artifacts that ship with the product. */
  catalog: readonly ModelManifest[];
  modelsFolder: string;
};

/** Which model files this machine has, and which of them serves which service model. */
export function createLibrary({ store, clock, catalog, modelsFolder }: LibraryOptions) {
  function artifacts(): ModelManifest[] {
    const rows = store
      .prepare<{ manifest: string }>('SELECT manifest FROM artifacts ORDER BY created_at, id')
      .all();
    return [...catalog, ...rows.map((row) => JSON.parse(row.manifest) as ModelManifest)];
  }

  function findArtifact(id: string): ModelManifest | undefined {
    return artifacts().find((artifact) => artifact.id === id);
  }

  function boundArtifact(service: string): ModelManifest | undefined {
    const row = store
      .prepare<{ artifact_id: string }>('SELECT artifact_id FROM bindings WHERE service = ?')
      .get(service);
    if (row) return findArtifact(row.artifact_id);
    return catalog.find((artifact) => artifact.services.includes(service) && existsSync(artifact.path));
  }

  /** The artifact behind a model name: a service model, or an artifact by its own id. */
  function resolve(model: string): ModelManifest {
    const service = findServiceModel(model);
    const artifact = service ? boundArtifact(model) : findArtifact(model);
    if (!service && !artifact) throw modelNotFound(model);
    if (!artifact || !existsSync(artifact.path)) throw notInstalled(model, artifact);
    return artifact;
  }

  async function importArtifact(options: Omit<ImportOptions, 'modelsFolder'>): Promise<ModelManifest> {
    const existing = findArtifact(options.id);
    if (findServiceModel(options.id) || (existing && existing.path !== options.path)) {
      throw new Failure(
        'already_exists',
        `There is a model "${options.id}" already. Choose another with --id.`,
        {
          param: 'id',
        },
      );
    }
    const manifest = await importFile({ ...options, modelsFolder });
    store
      .prepare('INSERT OR REPLACE INTO artifacts(id, manifest, created_at) VALUES(?, ?, ?)')
      .run(manifest.id, JSON.stringify(manifest), clock.now());
    return manifest;
  }

  function bind(service: string, artifactId: string): void {
    const model = findServiceModel(service);
    if (!model) throw modelNotFound(service, 'service');
    const artifact = findArtifact(artifactId);
    if (!artifact) throw modelNotFound(artifactId, 'artifact');
    if (!model.task || !artifact.tasks.includes(model.task)) {
      throw new Failure(
        'model_capability_mismatch',
        `"${artifactId}" does ${artifact.tasks.join(', ')}; ${service} needs ${model.category}.`,
        { param: 'artifact' },
      );
    }
    store
      .prepare('INSERT OR REPLACE INTO bindings(service, artifact_id, created_at) VALUES(?, ?, ?)')
      .run(service, artifactId, clock.now());
  }

  function servicesOf(artifactId: string): string[] {
    return SERVICE_MODELS.map(({ id }) => id).filter((id) => boundArtifact(id)?.id === artifactId);
  }

  return { artifacts, findArtifact, boundArtifact, resolve, importArtifact, bind, servicesOf };
}

function modelNotFound(model: string, param = 'model'): Failure {
  return new Failure(
    'model_not_found',
    `The model \`${model}\` does not exist or you do not have access to it. See what there is: askd models`,
    { param },
  );
}

function notInstalled(model: string, artifact: ModelManifest | undefined): Failure {
  const reason = artifact ? `its file ${artifact.path} is gone` : 'nothing on this machine serves it yet';
  return new Failure(
    'model_not_installed',
    `The model \`${model}\` is not installed: ${reason}. ` +
      `Import a file: askd import FILE.gguf --id NAME, then: askd bind ${model} NAME`,
    { param: 'model' },
  );
}
