import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { Failure } from '../base/errors.ts';
import type { EngineName, ModelManifest } from '../runtime/manifest.ts';
import type { Store } from '../store/store.ts';
import { createArtifactFiles, type InstalledFile } from './storage/artifact-files.ts';
import { createAdapters } from './adapters/adapters.ts';
import { adapterMissing } from './adapters/missing-adapter.ts';
import { adoptedChanged, changeOf } from './adopt/change.ts';
import { createAliases } from './bindings/aliases.ts';
import { createBindings } from './bindings/bindings.ts';
import { chooseArtifact, type Choice, type Machine } from './choose-artifact.ts';
import { createDrafts } from './bindings/draft-models.ts';
import { createPlacements } from './placements.ts';
import type { HubCache } from './hub/cache.ts';
import { importFile, type ImportOptions } from './import.ts';
import { findDownloaded } from './hub/choose-files.ts';
import { isHubReference } from './hub/reference.ts';
import { notInstalled, unknownModel, type Obstacle } from './missing.ts';
import { createObstacles, isPresent } from './runnable.ts';
import { createDeleteArtifact } from './storage/delete-artifact.ts';
import { findServiceModel, SERVICE_MODELS } from './service-models.ts';
import { withSamplingOfFile } from './formats/gguf-sampling.ts';
import { findProjector, findWeights } from './formats/weights.ts';

export type Library = ReturnType<typeof createLibrary>;

export type LibraryOptions = {
  store: Store;
  clock: Clock;
  /** What ships with the product, and what can be downloaded, which a newer catalogue may replace. */
  catalog: () => readonly ModelManifest[];
  modelsFolder: string;
  /** Connections to other servers are found here by name, even after the home has moved. */
  upstreamsFolder: string;
  cache: HubCache;
  machine: Machine;
  /** Whether starter models serve services that nothing is bound to; an explicitly bound one always serves. */
  offersStarter: boolean;
  /** Why an engine is unavailable; undefined if it is available. */
  engineObstacle: (engine: EngineName) => Obstacle | undefined;
};

/** The model files on this machine, and which of them serves which service model. */
export function createLibrary(options: LibraryOptions) {
  const { store, clock, catalog, modelsFolder, cache, machine, offersStarter, engineObstacle } = options;
  const files = createArtifactFiles({ store, cache });
  const aliases = createAliases({ store, clock });
  const drafts = createDrafts({ store, clock, findArtifact });
  const placements = createPlacements({ store, clock });
  const adapters = createAdapters({ store, clock, findBase: findServed, servicesOf });
  const { obstacleTo, runnable, canRun } = createObstacles({ engineObstacle });
  const { boundId, forget, ...bindings } = createBindings({
    store,
    clock,
    findArtifact,
    boundArtifact,
    canRun,
  });
  const shipped = catalog().filter(({ hub }) => hub === undefined);

  /** Everything on this machine: the shipped artifacts, then the imported and downloaded ones. */
  function artifacts(): ModelManifest[] {
    return placements.attach(drafts.attach([...shipped, ...savedManifests(options)]));
  }

  /** By its id or by an alias; with an adapter as MODEL+NAME. */
  function findArtifact(name: string): ModelManifest | undefined {
    const id = aliases.target(name) ?? name;
    const all = artifacts();
    const found = all.find((artifact) => artifact.id === id) ?? adapters.find(id);
    return found ?? (isHubReference(id) ? findDownloaded(id, all) : undefined);
  }

  function boundArtifact(service: string): ModelManifest | undefined {
    const id = boundId(service);
    if (id !== undefined) return findArtifact(id);
    return offersStarter ? firstFor(service, shipped) : undefined;
  }

  function findServed(model: string): ModelManifest | undefined {
    return findServiceModel(model) ? boundArtifact(model) : findArtifact(model);
  }

  /** The artifact behind a model name: a service model, or an artifact by its own id or alias. */
  function resolve(model: string): ModelManifest {
    const service = findServiceModel(model);
    const artifact = findServed(model);
    if (artifact && isPresent(artifact)) {
      return runnable(model, artifact);
    }
    const lost = artifact && lostFile(model, artifact);
    if (lost) throw lost;
    const known = artifact ?? catalog().find(({ id }) => id === model);
    if (!service && !known) throw unknownModel(model);
    throw notInstalled(model, known ? { artifact: known } : { choice: choose(model)?.artifact });
  }

  const choose = (service: string) => chooseIfPossible({ service }, catalog(), machine);

  async function importArtifact(options: Omit<ImportOptions, 'modelsFolder'>): Promise<ModelManifest> {
    const path = findWeights(options.path, options.mode);
    const existing = findArtifact(options.id);
    if (isTaken(options.id) || (existing && existing.path !== path)) throw taken(options.id);
    const projector =
      options.projector ?? (options.engine === 'vision' ? findProjector(options.path) : undefined);
    return save(await importFile({ ...options, path, projector, modelsFolder }));
  }

  function isTaken(id: string): boolean {
    return findServiceModel(id) !== undefined || catalog().some((each) => each.id === id);
  }

  function save(given: ModelManifest): ModelManifest {
    const manifest = withSamplingOfFile(given);
    store
      .prepare('INSERT OR REPLACE INTO artifacts(id, manifest, created_at) VALUES(?, ?, ?)')
      .run(manifest.id, JSON.stringify(manifest), clock.now());
    return manifest;
  }

  /** Registers a download; its files are on this machine and have been verified. */
  function install(
    manifest: ModelManifest,
    installed: readonly InstalledFile[],
    services: readonly string[] = [],
  ): ModelManifest {
    return store.transaction(() => {
      const saved = save(manifest);
      files.keep(manifest.id, installed);
      for (const service of services) bindings.bind(service, manifest.id);
      return saved;
    });
  }

  function servicesOf(artifactId: string): string[] {
    return SERVICE_MODELS.map(({ id }) => id).filter((id) => boundArtifact(id)?.id === artifactId);
  }

  function addAlias(alias: string, model: string): ModelManifest {
    const artifact = findServed(model);
    if (!artifact) throw unknownModel(model);
    if (isTaken(alias) || artifacts().some(({ id }) => id === alias)) throw taken(alias);
    aliases.set(alias, artifact.id);
    return artifact;
  }

  const remove = createDeleteArtifact({
    ...{ store, files, aliases, adapters, modelsFolder, artifacts, servicesOf },
    isShipped: ({ id }) => shipped.some((each) => each.id === id),
    draftsFor: drafts.boundBy,
    fallbackFor: bindings.fallbackFor,
    forgetBindings: forget,
  });

  return {
    get catalog() {
      return catalog();
    },
    artifacts,
    findArtifact,
    boundArtifact,
    choose,
    isPresent,
    resolve,
    obstacleTo,
    runnable,
    importArtifact,
    isTaken,
    install,
    ...bindings,
    bindDraft: drafts.bind,
    place: placements.set,
    adapters,
    /** The models with an adapter, each as MODEL+NAME. */
    adapted: () => adapters.modelsOf(artifacts()),
    servicesOf,
    addAlias,
    aliasesOf: aliases.of,
    remove,
    installedFiles: files.of,
  };
}

/** What `askd pull` would choose, and why; undefined if no engine here could run it. */
function chooseIfPossible(...request: Parameters<typeof chooseArtifact>): Choice | undefined {
  try {
    return chooseArtifact(...request);
  } catch {
    return undefined;
  }
}

/** What happened to the files of an installed model. */
function lostFile(model: string, artifact: ModelManifest): Failure | undefined {
  const change = changeOf(artifact);
  return change ? adoptedChanged(model, artifact, change) : adapterMissing(model, artifact);
}

function firstFor(service: string, artifacts: readonly ModelManifest[]): ModelManifest | undefined {
  return artifacts.find(({ services, path }) => services.includes(service) && existsSync(path));
}

function taken(id: string): Failure {
  return new Failure('already_exists', `A model "${id}" already exists. Choose another name.`, {
    param: 'id',
  });
}

function savedManifests({ store, upstreamsFolder }: LibraryOptions): ModelManifest[] {
  return store
    .prepare<{ manifest: string }>('SELECT manifest FROM artifacts ORDER BY created_at, id')
    .all()
    .map((row) => JSON.parse(row.manifest) as ModelManifest)
    .map((manifest) =>
      manifest.engine === 'upstream'
        ? { ...manifest, path: join(upstreamsFolder, basename(manifest.path)) }
        : manifest,
    );
}
