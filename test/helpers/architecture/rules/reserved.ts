import ts from 'typescript';
import { lineOf, stringIn, visit } from '../nodes.ts';
import { perModule, type Finding, type Module } from '../project.ts';

/** Members of `process` that only one place may use. */
const RESERVED = [
  {
    members: ['env'],
    home: 'src/config/environment.ts',
    instead: 'Take the setting as an argument: src/config/environment.ts reads the environment',
  },
  {
    members: ['exit', 'abort', 'reallyExit'],
    home: 'bin',
    instead: 'Throw a Failure, or return: bin ends the process with what main() returns',
  },
];

/** The installer is a separate program: it runs where there is no askd. */
const EXEMPT = /^(scripts|examples|test)\/|^bin\/install\.js$|^[^/]+$/;

export const reserved = perModule((module) => (EXEMPT.test(module.path) ? [] : checkModule(module)));

function checkModule({ path, source }: Module): Finding[] {
  const found: Finding[] = [];
  visit(source, (node) => {
    for (const member of membersTaken(node)) {
      const rule = RESERVED.find(({ members }) => members.includes(member));
      if (rule === undefined || path === rule.home || path.startsWith(`${rule.home}/`)) continue;
      const problem = `process.${member} is reserved for ${rule.home}`;
      found.push({ path, line: lineOf(node), problem, instead: rule.instead });
    }
  });
  return found;
}

/** The members of `process` that this node reads: by dot, bracket, pattern or import. */
function membersTaken(node: ts.Node): string[] {
  if (ts.isPropertyAccessExpression(node)) return isProcess(node.expression) ? [node.name.text] : [];
  if (ts.isElementAccessExpression(node)) {
    return isProcess(node.expression) ? [stringIn(node.argumentExpression) ?? ''] : [];
  }
  if (
    ts.isVariableDeclaration(node) &&
    node.initializer !== undefined &&
    ts.isObjectBindingPattern(node.name)
  ) {
    return isProcess(node.initializer) ? node.name.elements.map(takenName) : [];
  }
  if (ts.isImportSpecifier(node)) {
    const from = stringIn(node.parent.parent.parent.moduleSpecifier);
    return from !== undefined && /^(node:)?process$/.test(from) ? [takenName(node)] : [];
  }
  return [];
}

function takenName(element: ts.BindingElement | ts.ImportSpecifier): string {
  return (element.propertyName ?? element.name).getText();
}

function isProcess(expression: ts.Expression): boolean {
  return /^(globalThis\.)?process$/.test(expression.getText());
}
