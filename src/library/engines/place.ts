import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { versionOf, type OptionalEngine } from './optional-engines.ts';

/** The folder of packages from which a runner loads an engine. */
export type EnginePlace = { modules: string; isInHome: boolean };

export type EnginePlaces = {
  /** In the home: `NAME/VERSION/node_modules`. */
  folder: string;
  /** In a clone of the repository, the engines are development dependencies. */
  repositoryModules: string;
};

/** An installed engine: its packages, and the folder where they are. */
export type EngineModules = { name: string; modules: string; packages: readonly string[] };

/** The engine in exactly the version that this askd expects, or undefined. */
export function findEngine(engine: OptionalEngine, places: EnginePlaces): EnginePlace | undefined {
  const modules = join(engineFolder(engine, places.folder), 'node_modules');
  if (existsSync(join(modules, engine.main, 'package.json'))) return { modules, isInHome: true };
  const manifest = join(places.repositoryModules, engine.main, 'package.json');
  if (!existsSync(manifest)) return undefined;
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version?: string };
  return version === versionOf(engine) ? { modules: places.repositoryModules, isInHome: false } : undefined;
}

export function findModules(engine: OptionalEngine, places: EnginePlaces): EngineModules | undefined {
  const place = findEngine(engine, places);
  if (place === undefined) return undefined;
  const names = [...new Set(engine.packages.map(({ name }) => name))];
  const packages = names.filter((name) => existsSync(join(place.modules, name, 'package.json')));
  return { name: engine.name, modules: place.modules, packages };
}

export function engineFolder(engine: OptionalEngine, folder: string): string {
  return join(folder, engine.name, versionOf(engine));
}
