import { posix } from 'node:path';
import ts from 'typescript';
import { lineOf, stringIn, visit } from './nodes.ts';
import type { Tree } from './tree.ts';

export type Import = {
  line: number;
  specifier: string;
  typeOnly: boolean;
  /** Loaded by `import()` when it is needed. */
  late: boolean;
  /** Path from the root that a relative specifier refers to; absent for a package. */
  target?: string;
};

export function importsOf(source: ts.SourceFile): Import[] {
  const found: Import[] = [];
  visit(source, (node) => {
    const specifier = stringIn(specifierOf(node));
    if (specifier === undefined) return;
    const late = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
    found.push({ line: lineOf(node), specifier, typeOnly: isTypeOnly(node), late });
  });
  return found;
}

export function withTarget(from: string, imported: Import, tree: Tree): Import {
  if (!/^\.{1,2}\//.test(imported.specifier)) return imported;
  return { ...imported, target: resolve(from, imported.specifier, tree) };
}

/** Modules that a file names in a string, as when starting another process. */
export function pathsNamedIn(source: ts.SourceFile, tree: Tree): string[] {
  const found: string[] = [];
  visit(source, (node) => {
    const text = stringIn(node);
    if (text === undefined || !/^[\w./-]+\.(js|ts|tsx)$/.test(text)) return;
    found.push(resolve(source.fileName, text, tree), resolve('', text, tree));
  });
  return found.filter((path) => tree.has(path));
}

function specifierOf(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isImportTypeNode(node))
    return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
  if (ts.isExternalModuleReference(node)) return node.expression;
  if (!ts.isCallExpression(node)) return undefined;
  const loads =
    node.expression.kind === ts.SyntaxKind.ImportKeyword || node.expression.getText() === 'require';
  return loads ? node.arguments[0] : undefined;
}

function isTypeOnly(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node)) return node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
  return ts.isExportDeclaration(node) ? node.isTypeOnly : ts.isImportTypeNode(node);
}

/** The source behind a path; a file in dist stands for the source that it was compiled from. */
function resolve(from: string, specifier: string, tree: Tree): string {
  const path = posix.join(posix.dirname(from), specifier).replace(/^dist\/(bundle\/)?/, '');
  const stem = path.replace(/\.jsx?$/, '');
  return (
    [path, `${stem}.ts`, `${stem}.tsx`].find((candidate) => tree.has(candidate)) ??
    path.replace(/^((?:cli|daemon|models|src)\/.*)\.js$/, '$1.ts')
  );
}
