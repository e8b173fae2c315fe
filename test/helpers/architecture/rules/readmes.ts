import { TOP_FOLDERS } from '../floors.ts';
import type { Finding, Project } from '../project.ts';

const LINES_MAX = 40;

/** Each top folder says in a page what belongs in it. */
export function readmes({ tree }: Project): Finding[] {
  const present = TOP_FOLDERS.filter((folder) =>
    [...tree.keys()].some((path) => path.startsWith(`${folder}/`)),
  );
  return present.flatMap((folder) => {
    const path = `${folder}/README.md`;
    const text = tree.get(path);
    if (text === undefined) {
      const instead = `Say in at most ${LINES_MAX} lines what belongs in ${folder}`;
      return [{ path, line: 1, problem: 'the folder has no README.md', instead }];
    }
    const lines = text.replace(/\n$/, '').split('\n').length;
    if (lines <= LINES_MAX) return [];
    const problem = `${lines} lines, more than ${LINES_MAX}`;
    return [
      {
        path,
        line: LINES_MAX + 1,
        problem,
        instead: 'Keep what a newcomer needs; the rest is in ARCHITECTURE.md',
      },
    ];
  });
}
