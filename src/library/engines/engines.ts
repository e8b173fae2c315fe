import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { formatBytes } from '../../base/units.ts';
import { Failure } from '../../base/errors.ts';
import { findLlamaBuild, LLAMA_BUILD, llamaVersion } from '../../config/llama-build.ts';
import type { EngineName } from '../../runtime/manifest.ts';
import { installPackages, type InstallProgress, type Registry } from './installation.ts';
import { gpusOf, packagesFor, thisPlatform, versionOf, type OptionalEngine } from './optional-engines.ts';
import type { Gpu } from './packages.ts';
import { engineMissing, type Obstacle } from '../missing.ts';
import { findEngine, findModules, type EnginePlace, type EnginePlaces } from './place.ts';

export type EngineRecord = {
  name: string;
  purpose: string;
  version: string;
  state: 'installed' | 'in_repository' | 'not_installed' | 'unsupported';
  /** The download size of an installation. */
  bytes: number;
  path: string | undefined;
  gpus: { name: string; isInstalled: boolean }[];
};

export type EnginesOptions = EnginePlaces & {
  registry: Registry;
  isOffline: boolean;
  table: readonly OptionalEngine[];
};

export type Engines = ReturnType<typeof createEngines>;

/**
 * The engines that are not part of every install. The folder is checked each time, so that installing one needs no
 * restart.
 */
export function createEngines({ registry, isOffline, table, ...places }: EnginesOptions) {
  /** Installations run one after another: they would share the bandwidth, and two of the same engine its folder. */
  let line: Promise<unknown> = Promise.resolve();

  function find(name: string): OptionalEngine {
    const engine = table.find((each) => each.name === name);
    if (engine) return engine;
    if (name === LLAMA_BUILD) {
      const message = 'The engine llama is bundled; to compile it for this machine: askd engines build';
      throw new Failure('invalid_value', message, { param: 'engine' });
    }
    const names = table.map((each) => each.name).join(', ');
    throw new Failure('not_found', `There is no optional engine "${name}"; there are: ${names}.`, {
      param: 'engine',
    });
  }

  function record(engine: OptionalEngine): EngineRecord {
    const place = findEngine(engine, places);
    const packages = packagesFor(engine, { platform: thisPlatform });
    return {
      name: engine.name,
      purpose: engine.purpose,
      version: versionOf(engine),
      state: stateOf(place, packages.length > 0),
      bytes: packages.reduce((sum, { bytes }) => sum + bytes, 0),
      path: place?.modules,
      gpus: gpusOf(engine, thisPlatform).map((name) => ({
        name,
        isInstalled: place !== undefined && hasPackagesFor(engine, name, place),
      })),
    };
  }

  function buildRecord(): EngineRecord {
    const build = findLlamaBuild(places.folder);
    return {
      name: LLAMA_BUILD,
      purpose: 'chat and embeddings, compiled for this machine (askd engines build)',
      version: llamaVersion(),
      state: build ? 'installed' : 'not_installed',
      bytes: 0,
      path: build?.folder,
      gpus: build && build.gpu !== 'none' ? [{ name: build.gpu, isInstalled: true }] : [],
    };
  }

  async function installNow(name: string, options: InstallOptions): Promise<EngineRecord> {
    const engine = find(name);
    options.signal.throwIfAborted();
    if (isOffline) {
      const message = 'Engines come from the npm registry, and askd is offline.';
      throw new Failure('offline', message, { details: { fix: 'askd config set offline off' } });
    }
    await installPackages({ engine, folder: places.folder, registry, ...options });
    return record(engine);
  }

  return {
    list: () => table.map(record),
    /** The installed engines, for packing. */
    modules: () => table.flatMap((engine) => findModules(engine, places) ?? []),
    /** The build of the bundled engine for this machine. */
    build: buildRecord,
    record: (name: string) => record(find(name)),

    /** Where a runner loads an engine from; undefined for a bundled one. */
    modulesOf(name: EngineName): string | undefined {
      if (name === 'llama') return findLlamaBuild(places.folder)?.folder;
      const engine = table.find((each) => each.name === name);
      if (engine === undefined) return undefined;
      const place = findEngine(engine, places);
      if (place === undefined) throw engineMissing(whatIsMissing(engine));
      return place.modules;
    },

    /** Why a model of this engine cannot run yet; undefined if it can. */
    obstacle(name: EngineName): Obstacle | undefined {
      const engine = table.find((each) => each.name === name);
      return engine && !findEngine(engine, places) ? whatIsMissing(engine) : undefined;
    },

    install(name: string, options: InstallOptions): Promise<EngineRecord> {
      const turn = line.then(() => installNow(name, options));
      line = turn.catch(() => undefined);
      return turn;
    },

    async remove(name: string): Promise<EngineRecord> {
      const isBuild = name === LLAMA_BUILD;
      const folder = join(places.folder, isBuild ? name : find(name).name);
      if (!existsSync(folder)) {
        throw new Failure(
          'not_found',
          `The engine "${name}" is not installed in this home: askd engines list`,
        );
      }
      await rm(folder, { recursive: true });
      return isBuild ? buildRecord() : record(find(name));
    },
  };
}

export type InstallOptions = {
  gpu?: Gpu;
  signal: AbortSignal;
  onProgress: (progress: InstallProgress) => void;
};

function stateOf(place: EnginePlace | undefined, isSupported: boolean): EngineRecord['state'] {
  if (place) return place.isInHome ? 'installed' : 'in_repository';
  return isSupported ? 'not_installed' : 'unsupported';
}

function hasPackagesFor(engine: OptionalEngine, gpu: Gpu, { modules }: EnginePlace): boolean {
  return packagesFor(engine, { platform: thisPlatform, gpu }).every(({ name }) =>
    existsSync(join(modules, name)),
  );
}

function whatIsMissing(engine: OptionalEngine): Obstacle {
  const { name } = engine;
  const packages = packagesFor(engine, { platform: thisPlatform });
  if (packages.length === 0) return { why: `the engine "${name}" has no build for ${thisPlatform}` };
  const size = formatBytes(packages.reduce((sum, { bytes }) => sum + bytes, 0));
  const why = `the engine "${name}" is not installed (${size} to download)`;
  return { why, fix: `askd engines install ${name}` };
}
