import type { Finding, Module, Project } from '../project.ts';

/** No file reaches itself through its imports, including type imports. */
export function cycles({ modules }: Project): Finding[] {
  const seen = new Set<string>();
  return [...modules.values()].flatMap((module) => {
    const cycle = shortestCycle(module, modules);
    if (cycle === undefined || isKnown(cycle, seen)) return [];
    const next = cycle[1] ?? module.path;
    const line = module.imports.find(({ target }) => target === next)?.line ?? 1;
    const instead = 'Move what both need into a file of its own, below them';
    return [{ path: module.path, line, problem: `imports go in a circle: ${cycle.join(' -> ')}`, instead }];
  });
}

function shortestCycle(start: Module, modules: Project['modules']): string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start.path];
  for (const path of queue) {
    for (const { target } of modules.get(path)?.imports ?? []) {
      if (target === start.path) return [...trail(path, cameFrom), start.path];
      if (target === undefined || cameFrom.has(target)) continue;
      cameFrom.set(target, path);
      queue.push(target);
    }
  }
  return undefined;
}

function trail(path: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const before = cameFrom.get(path);
  return before === undefined ? [path] : [...trail(before, cameFrom), path];
}

/** The same cycle is found once from each of its files. */
function isKnown(cycle: readonly string[], seen: Set<string>): boolean {
  const key = [...new Set(cycle)].sort().join(' ');
  const known = seen.has(key);
  seen.add(key);
  return known;
}
