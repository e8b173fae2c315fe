import { parseProject } from './architecture/project.ts';
import { RULES } from './architecture/rules.ts';
import type { Tree } from './architecture/tree.ts';

/** Every place where the tree breaks an architecture rule, as `file:line rule: problem. What to do instead.` */
export function checkArchitecture(tree: Tree, only?: string): string[] {
  const project = parseProject(tree);
  return RULES.filter(({ name }) => only === undefined || name === only).flatMap(({ name, check }) =>
    check(project).map(
      ({ path, line, problem, instead }) => `${path}:${line} ${name}: ${problem}. ${instead}.`,
    ),
  );
}
