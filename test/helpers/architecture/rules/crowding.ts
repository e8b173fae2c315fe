import { TOP_FOLDERS } from '../floors.ts';
import type { Finding, Project } from '../project.ts';

const SIBLINGS_MAX = 25;
const ROOT_FILES_MAX = 12;

/** No folder is so full that nobody reads its list, and a top folder shows little more than its subfolders. */
export function crowding({ tree }: Project): Finding[] {
  const folders = new Map<string, Set<string>>();
  for (const path of tree.keys()) {
    const parts = path.split('/');
    if (!TOP_FOLDERS.includes(parts[0] ?? '')) continue;
    for (let depth = 1; depth < parts.length; depth += 1) {
      const folder = parts.slice(0, depth).join('/');
      const names = folders.get(folder) ?? new Set();
      names.add(depth === parts.length - 1 ? (parts[depth] ?? '') : `${parts[depth]}/`);
      folders.set(folder, names);
    }
  }
  return [
    ...[...folders].flatMap(([folder, names]) => checkFolder(folder, names)),
    ...[...tree.keys()].filter((path) => /^src\/[^/]+\.ts$/.test(path)).map(looseFile),
  ];
}

function checkFolder(folder: string, names: ReadonlySet<string>): Finding[] {
  const finding = (problem: string, instead: string): Finding[] => [
    { path: folder, line: 1, problem, instead },
  ];
  if (names.size > SIBLINGS_MAX) {
    const problem = `${names.size} files and folders side by side, more than ${SIBLINGS_MAX}`;
    return finding(problem, 'Group them in folders named after what they hold');
  }
  const files = [...names].filter((name) => !name.endsWith('/')).length;
  if (folder.includes('/') || files <= ROOT_FILES_MAX) return [];
  const problem = `${files} files directly in it, more than ${ROOT_FILES_MAX}`;
  return finding(problem, 'Move them to the folder that they serve');
}

function looseFile(path: string): Finding {
  const instead = 'Move it to src/base, src/config or the floor that it serves';
  return { path, line: 1, problem: 'src keeps its code in folders', instead };
}
