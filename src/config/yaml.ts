import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';
import type { Failure } from '../base/errors.ts';

export type Path = readonly (string | number)[];
/** A value, and the line on which each part of it starts. */
export type WithLines = { value: unknown; lineOf: (path: Path) => number };

const require = createRequire(import.meta.url);

/** Reads YAML, which includes JSON, as people write it. `mistake` creates the error for a line. */
export function readYaml(source: string, mistake: (line: number, what: string) => Failure): WithLines {
  const written = readJsonOfProgram(source);
  if (written) return written;
  // Loaded on first use: loading takes longer than parsing most files.
  const { LineCounter, parseDocument } = require('yaml') as typeof Yaml;
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines });
  const [broken] = document.errors;
  if (broken) {
    const [reason = ''] = broken.message.split('\n');
    throw mistake(broken.linePos?.[0].line ?? 1, reason.replace(/ at line \d+, column \d+:?$/, '.'));
  }
  const lineOf = (at: Path) => lines.linePos(startOf(document, at)).line;
  try {
    return { value: document.toJS(), lineOf };
  } catch (cause) {
    // Aliases that multiply beyond any use.
    throw mistake(1, (cause as Error).message);
  }
}

/** JSON as programs write it, on one line and without duplicate names. */
function readJsonOfProgram(source: string): WithLines | undefined {
  if (!source.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(source);
    return JSON.stringify(value) === source ? { value, lineOf: () => 1 } : undefined;
  } catch {
    return undefined;
  }
}

/** Where a value starts, or the nearest enclosing value that has a position. */
function startOf(document: Yaml.Document, at: Path): number {
  for (let length = at.length; length > 0; length -= 1) {
    const node = document.getIn(at.slice(0, length), true) as
      { range?: [number, number, number] } | undefined;
    if (node?.range) return node.range[0];
  }
  return 0;
}
