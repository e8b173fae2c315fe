import ts from 'typescript';
import { lineOf, visit } from '../nodes.ts';
import type { Finding, Module, Project } from '../project.ts';

const FILE_LINES_MAX = 300;
const FUNCTION_LINES_MAX = 70;

export function sizes({ modules }: Project): Finding[] {
  return [...modules.values()].flatMap((module) => [...checkFile(module), ...checkFunctions(module)]);
}

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
    const lines = source.getLineAndCharacterOfPosition(node.getEnd()).line + 2 - lineOf(node);
    if (lines <= FUNCTION_LINES_MAX) return;
    const problem = `${nameOf(node)} has ${lines} lines, more than ${FUNCTION_LINES_MAX}`;
    found.push({
      path,
      line: lineOf(node),
      problem,
      instead: 'Name its steps as functions and let it call them',
    });
  });
  return found;
}

/** `describe(…, () => {…})` is a heading with its cases, however many they are; so is a function that is called for it. */
function isSuite(node: ts.SignatureDeclaration): boolean {
  const isHeading = ts.isCallExpression(node.parent) && callsDescribe(node.parent);
  const body = 'body' in node ? node.body : undefined;
  return isHeading || (body !== undefined && ts.isBlock(body) && body.statements.some(holdsSuite));
}

function holdsSuite(statement: ts.Statement): boolean {
  const { expression } = statement as Partial<ts.ExpressionStatement>;
  return expression !== undefined && ts.isCallExpression(expression) && callsDescribe(expression);
}

function callsDescribe(call: ts.CallExpression): boolean {
  return /^describe\b/.test(call.expression.getText());
}

function nameOf(node: ts.SignatureDeclaration): string {
  const named = node.name ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name : undefined);
  return named?.getText() ?? 'a function';
}
