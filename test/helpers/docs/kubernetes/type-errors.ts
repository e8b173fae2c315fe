import { join } from 'node:path';
import ts from 'typescript';
import type { Manifest } from './manifests.ts';

/** Beside the types that it imports; it exists only in memory. */
const FILE = join(import.meta.dirname, 'documents.ts');
const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  allowImportingTsExtensions: true,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
};
const CUSTOM_GROUPS = ['ray.io', 'kustomize.config.k8s.io'];

/**
 * What the TypeScript compiler reports for each document as an object of its type: unknown fields, wrong types and
 * missing fields are errors.
 */
export function typeErrorsOf(manifests: readonly Manifest[]): string[] {
  const statements = manifests.map(asStatement);
  const program = programOf(statements.join('\n'));
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const index = file?.fileName === FILE ? file.getLineAndCharacterOfPosition(start).line : -1;
    const where = manifests[index]?.name ?? file?.fileName ?? 'the compiler';
    return `${where}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}

/** On one line, so that the line of an error is the number of the document. */
function asStatement({ document, isPatch }: Manifest, index: number): string {
  const { apiVersion = '', kind = '' } = document;
  const resource = `import(${JSON.stringify(moduleOf(apiVersion))}).${kind}`;
  const type = isPatch ? `import('./custom-resources.ts').Patch<${resource}>` : resource;
  return `export const document${index}: ${type} = ${JSON.stringify(document)};`;
}

/** `networking.k8s.io/v1` is in networking/v1, and the core's `v1` in core/v1. */
function moduleOf(apiVersion: string): string {
  const [group = '', version] = apiVersion.includes('/') ? apiVersion.split('/') : ['core', apiVersion];
  if (CUSTOM_GROUPS.includes(group)) return './custom-resources.ts';
  return `kubernetes-types/${group.replace(/\..*/, '')}/${version}.js`;
}

function programOf(text: string): ts.Program {
  const disk = ts.createCompilerHost(OPTIONS);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (path) => path === FILE || disk.fileExists(path),
    readFile: (path) => (path === FILE ? text : disk.readFile(path)),
    getSourceFile: (path, ...rest) =>
      path === FILE
        ? ts.createSourceFile(path, text, ts.ScriptTarget.ES2023)
        : disk.getSourceFile(path, ...rest),
  };
  return ts.createProgram([FILE], OPTIONS, host);
}
