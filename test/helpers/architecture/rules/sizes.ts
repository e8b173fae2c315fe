import ts from 'typescript';
import { lineOf, visit } from '../nodes.ts';
import { perModule, type Finding, type Module } from '../project.ts';

const FILE_LINES_MAX = 300;
const FUNCTION_LINES_MAX = 70;
/** A factory takes the place of a class, so the functions that it declares are counted separately. */
const FACTORY_LINES_MAX = 150;

export const sizes = perModule((module) => [...checkFile(module), ...checkFunctions(module)]);

function checkFile({ path, text }: Module): Finding[] {
  const lines = text.replace(/\n$/, '').split('\n').length;
  if (lines <= FILE_LINES_MAX) return [];
  const problem = `the file has ${lines} lines, more than ${FILE_LINES_MAX}`;
  return [
    { path, line: FILE_LINES_MAX + 1, problem, instead: 'Split it where it holds more than one thought' },
  ];
}

function checkFunctions({ path, source }: Module): Finding[] {
  const found: Finding[] = [];
  visit(source, (node) => {
    if (!ts.isFunctionLike(node) || isSuite(node)) return;
    const lines = linesOf(node);
    const ownLines = lines - declaredIn(node).reduce((sum, declared) => sum + linesOf(declared), 0);
    const finding = (problem: string, instead: string) =>
      found.push({ path, line: lineOf(node), problem, instead });
    if (ownLines > FUNCTION_LINES_MAX) {
      const problem = `${nameOf(node)} has ${ownLines} lines of its own, more than ${FUNCTION_LINES_MAX}`;
      finding(problem, 'Name its steps as functions and let it call them');
    } else if (lines > FACTORY_LINES_MAX) {
      const problem = `${nameOf(node)} has ${lines} lines, more than ${FACTORY_LINES_MAX}`;
      finding(problem, 'Split the factory where it holds more than one thought');
    }
  });
  return found;
}

function linesOf(node: ts.Node): number {
  return node.getSourceFile().getLineAndCharacterOfPosition(node.getEnd()).line + 2 - lineOf(node);
}

function declaredIn({ body }: ts.SignatureDeclaration & { body?: ts.Node }): readonly ts.Node[] {
  return body !== undefined && ts.isBlock(body) ? body.statements.filter(ts.isFunctionDeclaration) : [];
}

/** A function that contains test cases is a heading over them, however many there are. */
function isSuite({ body }: ts.SignatureDeclaration & { body?: ts.Node }): boolean {
  if (body === undefined || !ts.isBlock(body)) return false;
  return body.statements.some(
    (row) => ts.isExpressionStatement(row) && /^(describe|test)\b/.test(row.getText()),
  );
}

function nameOf(node: ts.SignatureDeclaration): string {
  const named = node.name ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name : undefined);
  return named?.getText() ?? 'a function';
}
