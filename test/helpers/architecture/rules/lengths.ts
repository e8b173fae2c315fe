import { TOP_FOLDERS } from '../floors.ts';
import type { Tree } from '../tree.ts';
import type { Finding, Project } from '../project.ts';

const FOLDER_README_MAX = 25;

const PAGES = [
  { path: 'README.md', max: 120, instead: 'Keep what makes a stranger try it; the rest belongs in docs' },
  {
    path: 'BENCHMARKS.md',
    max: 150,
    instead: 'Keep the tables; reasoning is in docs/internals/performance.md',
  },
  { path: 'ARCHITECTURE.md', max: 200, instead: 'Move depth to docs/internals' },
];

/** Each top folder says in a few lines what belongs in it, and the pages to read first stay short. */
export function lengths({ tree }: Project): Finding[] {
  const present = TOP_FOLDERS.filter((folder) =>
    [...tree.keys()].some((path) => path.startsWith(`${folder}/`)),
  );
  return [
    ...present.flatMap((folder) => checkFolder(tree, folder)),
    ...PAGES.flatMap(({ path, max, instead }) => checkLength(path, tree.get(path) ?? '', max, instead)),
  ];
}

function checkFolder(tree: Tree, folder: string): Finding[] {
  const path = `${folder}/README.md`;
  const text = tree.get(path);
  if (text === undefined) {
    const instead = `Say in at most ${FOLDER_README_MAX} lines what belongs in ${folder}`;
    return [{ path, line: 1, problem: 'the folder has no README.md', instead }];
  }
  const instead = 'Keep what a newcomer needs; the rest is in ARCHITECTURE.md';
  return checkLength(path, text, FOLDER_README_MAX, instead);
}

function checkLength(path: string, text: string, max: number, instead: string): Finding[] {
  const lines = text.replace(/\n$/, '').split('\n').length;
  if (lines <= max) return [];
  return [{ path, line: max + 1, problem: `${lines} lines, more than ${max}`, instead }];
}
