import { BUNDLE_ENTRIES, ENTRIES, EXPORTS } from '../floors.ts';
import { pathsNamedIn } from '../imports.ts';
import type { Finding, Project } from '../project.ts';

const ROOTS = [...EXPORTS, ...BUNDLE_ENTRIES];
const PRODUCT = /^(src|daemon|cli|models)\//;

/**
 * Every file of the product is reached from bin, an export, or the page that the build bundles. Checked once all
 * entries exist.
 */
export function reachable(project: Project): Finding[] {
  const { modules } = project;
  if (!ENTRIES.every((path) => modules.has(path))) return [];
  const reached = reachedFrom(
    [...modules.keys()].filter((path) => path.startsWith('bin/') || ROOTS.includes(path)),
    project,
  );
  return [...modules.keys()]
    .filter((path) => PRODUCT.test(path) && !reached.has(path))
    .map((path) => ({
      path,
      line: 1,
      problem: 'nothing that bin starts reaches this file',
      instead: 'Import it where it is needed, start it by a literal path, or delete it',
    }));
}

function reachedFrom(roots: readonly string[], { modules, tree }: Project): Set<string> {
  const reached = new Set(roots);
  for (const path of reached) {
    const module = modules.get(path);
    if (module === undefined) continue;
    for (const { target } of module.imports) if (target !== undefined) reached.add(target);
    for (const named of pathsNamedIn(module.source, tree)) reached.add(named);
  }
  return reached;
}
