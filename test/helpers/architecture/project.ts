import ts from 'typescript';
import { importsOf, withTarget, type Import } from './imports.ts';
import type { Tree } from './tree.ts';

export type Module = { path: string; text: string; source: ts.SourceFile; imports: readonly Import[] };

export type Project = { tree: Tree; modules: ReadonlyMap<string, Module> };

export type Finding = { path: string; line: number; problem: string; instead: string };

export type Rule = { name: string; check: (project: Project) => Finding[] };

/** A rule that checks one file at a time, and an unchanged file only once. */
export function perModule(check: (module: Module) => Finding[]): Rule['check'] {
  const known = new WeakMap<ts.SourceFile, Finding[]>();
  return ({ modules }) =>
    [...modules.values()].flatMap((module) => {
      const findings = known.get(module.source) ?? check(module);
      known.set(module.source, findings);
      return findings;
    });
}

const CODE = /\.(ts|tsx|js|mjs|cjs)$/;

export function parseProject(tree: Tree): Project {
  const code = [...tree].filter(([path]) => CODE.test(path));
  return { tree, modules: new Map(code.map(([path, text]) => [path, parseModule(path, text, tree)])) };
}

/** Parsing is the slow part, and the trees that a test checks differ only in a file or two. */
const parsed = new Map<string, Pick<Module, 'source' | 'imports'>>();

function parseModule(path: string, text: string, tree: Tree): Module {
  const { source, imports } = parsed.get(`${path}\n${text}`) ?? parse(path, text);
  parsed.set(`${path}\n${text}`, { source, imports });
  return { path, text, source, imports: imports.map((imported) => withTarget(path, imported, tree)) };
}

function parse(path: string, text: string): Pick<Module, 'source' | 'imports'> {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
  return { source, imports: importsOf(source) };
}
