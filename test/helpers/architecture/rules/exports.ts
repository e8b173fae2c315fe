import ts from 'typescript';
import { lineOf, visit } from '../nodes.ts';
import { perModule, type Finding, type Module } from '../project.ts';

/** Tools that load a file by its path ask for its default export. */
const DEFAULT_IS_ASKED_FOR = /(^|\/)[^/]+\.config\.(ts|js)$|^scripts\/tally-reporter\.js$/;

export const exportsRule = perModule((module) => [...checkDefault(module), ...checkBarrel(module)]);

function checkDefault({ path, source }: Module): Finding[] {
  if (DEFAULT_IS_ASKED_FOR.test(path)) return [];
  const instead = 'Export it by its name, so that every file calls it the same';
  return nodesIn(source, isDefaultExport).map((node) => ({
    path,
    line: lineOf(node),
    problem: 'default export',
    instead,
  }));
}

function isDefaultExport(node: ts.Node): boolean {
  if (ts.isExportAssignment(node)) return true;
  if (ts.isExportSpecifier(node)) return node.name.text === 'default';
  if (!ts.canHaveModifiers(node)) return false;
  return ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword) ?? false;
}

function checkBarrel({ path, source }: Module): Finding[] {
  const isBarrel = (node: ts.Node): boolean =>
    ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined && node.exportClause === undefined;
  const problem = 'export * hides where a name comes from';
  const instead = 'Let each file import from the file that defines the name';
  return nodesIn(source, isBarrel).map((node) => ({ path, line: lineOf(node), problem, instead }));
}

function nodesIn(source: ts.SourceFile, wanted: (node: ts.Node) => boolean): ts.Node[] {
  const found: ts.Node[] = [];
  visit(source, (node) => {
    if (wanted(node)) found.push(node);
  });
  return found;
}
