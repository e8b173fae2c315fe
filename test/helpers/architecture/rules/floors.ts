import { floorOf, type Floor } from '../floors.ts';
import type { Import } from '../imports.ts';
import type { Finding, Module, Project } from '../project.ts';

const TABLE = 'FLOORS in test/helpers/architecture/floors.ts';

/** Each file is on a floor, and imports only what that floor may. Tools read their configuration from the root. */
export function floors({ modules }: Project): Finding[] {
  return [...modules.values()]
    .filter(({ path }) => path.includes('/'))
    .flatMap((module) => checkModule(module));
}

function checkModule(module: Module): Finding[] {
  const floor = floorOf(module.path);
  if (floor === undefined) {
    const instead = `Move the file to the floor it serves, or add its folder to ${TABLE}`;
    return [{ path: module.path, line: 1, problem: 'no floor holds this file', instead }];
  }
  return module.imports.flatMap((imported) => checkImport(module.path, floor, imported));
}

function checkImport(path: string, { floor, mayImport, late = [] }: Floor, imported: Import): Finding[] {
  const { target, line } = imported;
  if (target === undefined || target.endsWith('.json')) return [];
  const other = floorOf(target)?.floor;
  if (other === floor) return [];
  if (!mayImport.some((entry) => entry === other || entry === target || covers(entry, target))) {
    const problem = `${floor} may not import ${target}${other === undefined ? '' : ` (${other})`}`;
    return [{ path, line, problem, instead: `${alternative(mayImport)} The table is ${TABLE}` }];
  }
  if (other === undefined || !late.includes(other) || imported.late || imported.typeOnly) return [];
  const instead = `Load it with await import() where it is first needed: it takes long to load`;
  return [{ path, line, problem: `${floor} may not import ${other} at start`, instead }];
}

function covers(entry: string, target: string): boolean {
  return entry.endsWith('**') && target.startsWith(entry.slice(0, -2));
}

function alternative(mayImport: readonly string[]): string {
  const list = mayImport.length === 0 ? 'nothing but its own files' : mayImport.join(', ');
  return `It may import ${list}. Take what is needed as an argument, or move the shared part to a floor below both.`;
}
