import ts from 'typescript';
import { perModule, type Finding, type Module } from '../project.ts';

/** Words that this project once coined, and the field's words for them. */
const COINED: Readonly<Record<string, string>> = {
  door: 'auth, access',
  judge: 'classify, classifier',
  judgement: 'classification',
  hear: 'transcribe',
  heard: 'transcribed',
  painter: 'image generator',
  tell: 'report, notify, print',
  told: 'reported, sent',
  wish: 'request, options',
  patience: 'timeout',
  patiently: 'with retry',
  surroundings: 'environment',
  habits: 'aliases',
  examination: 'diagnostics',
};

/** Names of files and declarations use the words that a person from this field would search for. */
export const vocabulary = perModule((module) => [
  ...coinedIn(module.path.slice(module.path.lastIndexOf('/') + 1), module.path, 1),
  ...declarationsOf(module).flatMap(({ name, line }) => coinedIn(name, module.path, line)),
]);

function coinedIn(name: string, path: string, line: number): Finding[] {
  return wordsOf(name).flatMap((word) =>
    Object.hasOwn(COINED, word) && !(word === 'judge' && isOfEvals(path))
      ? [{ path, line, problem: `"${name}" has a coined word`, instead: `Say ${COINED[word] ?? ''}` }]
      : [],
  );
}

/** There, a model that scores answers is what everybody calls a judge. */
function isOfEvals(path: string): boolean {
  return /\btasks\/eval\b/.test(path);
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}

function declarationsOf({ source }: Module): { name: string; line: number }[] {
  const found: { name: string; line: number }[] = [];
  const visit = (node: ts.Node): void => {
    const { name } = node as { name?: ts.Node };
    const isUse =
      ts.isPropertyAccessExpression(node) || ts.isImportSpecifier(node) || ts.isPropertyAssignment(node);
    if (name !== undefined && ts.isIdentifier(name) && !isUse)
      found.push({ name: name.text, line: source.getLineAndCharacterOfPosition(name.getStart()).line + 1 });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
