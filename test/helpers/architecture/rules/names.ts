import type { Finding, Project } from '../project.ts';

const KEBAB = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)*$/;
const PASCAL = /^([A-Z][A-Za-z0-9]*)(\.[a-z]+)*$/;

/** A file name says what the file holds: no index, kebab-case, and PascalCase for components. */
export function names({ modules }: Project): Finding[] {
  return [...modules.keys()].flatMap((path) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const finding = (problem: string, instead: string): Finding[] => [{ path, line: 1, problem, instead }];
    if (/^index\./.test(name)) {
      return finding(
        'a file called index says nothing',
        'Name it after what it holds: routes.ts beside routes/',
      );
    }
    if (KEBAB.test(name) || (name.endsWith('.tsx') && PASCAL.test(name))) return [];
    return finding(`${name} is not kebab-case`, 'Rename it: some-thing.ts, or SomeThing.tsx for a component');
  });
}
