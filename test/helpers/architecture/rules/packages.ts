import { BUNDLED_FLOORS, FREE_FLOORS, PACKAGES, floorOf } from '../floors.ts';
import type { Import } from '../imports.ts';
import type { Finding, Module, Project } from '../project.ts';

/** Run with their own packages, which scripts/clients/pins.ts names. */
const ELSEWHERE = 'scripts/clients/probes/';

const TABLE = 'PACKAGES in test/helpers/architecture/floors.ts';

type Declared = { dependencies: readonly string[]; all: readonly string[] };

/** A package is imported only where it is allowed, and only if package.json declares it. */
export function packages({ modules, tree }: Project): Finding[] {
  const declared = declaredIn(tree.get('package.json') ?? '{}');
  const here = [...modules.values()].filter(({ path }) => !path.startsWith(ELSEWHERE));
  return here.flatMap((module) =>
    module.imports
      .filter((imported) => imported.target === undefined)
      .flatMap((imported) => checkImport(module, imported, declared)),
  );
}

function checkImport({ path }: Module, imported: Import, declared: Declared): Finding[] {
  const name = packageOf(imported.specifier);
  const finding = (problem: string, instead: string): Finding[] => [
    { path, line: imported.line, problem, instead },
  ];
  const floor = floorOf(path)?.floor;
  const isFree = floor === undefined || FREE_FLOORS.includes(floor);
  const isBuiltIn = name.startsWith('node:');

  if (floor === 'scripts/*.js') {
    if (isBuiltIn) return [];
    return finding(
      `${name} is not there before the first install`,
      'Use what Node brings, or write it in TypeScript',
    );
  }
  // Tests and examples may use the package as other programs do.
  if (isFree && name === 'askd') return [];
  const isBundled = floor !== undefined && BUNDLED_FLOORS.includes(floor);
  const isFromAll = isFree || isBundled || imported.typeOnly;
  const names = isFromAll ? declared.all : declared.dependencies;
  if (!isBuiltIn && !names.includes(name)) {
    const list = isFree || isBundled ? 'devDependencies' : 'dependencies';
    return finding(
      `package.json does not declare ${name}`,
      `Add it to ${list}, or write node:${name} if Node brings it`,
    );
  }
  if (isFree) return [];

  const owner = PACKAGES.find(({ packages }) => packages.some((pattern) => fits(pattern, name)));
  if (owner === undefined) {
    if (isBuiltIn) return [];
    return finding(`no floor owns ${name}`, `Add it to ${TABLE} with the one floor that needs it`);
  }
  if (owner.homes.includes(floor) || owner.homes.includes(path)) return [];
  const where = owner.homes.join(' and ') || 'scripts and test';
  return finding(
    `${name} is imported only in ${where}`,
    `Import what ${where} makes of it. The table is ${TABLE}`,
  );
}

function packageOf(specifier: string): string {
  if (specifier.startsWith('node:')) return specifier;
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

function fits(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

function declaredIn(text: string): Declared {
  const manifest = JSON.parse(text) as Partial<Record<string, Record<string, string>>>;
  const dependencies = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
  return { dependencies, all: [...dependencies, ...Object.keys(manifest.devDependencies ?? {})] };
}
