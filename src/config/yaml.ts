import { LineCounter, parseDocument, type Document } from 'yaml';
import type { Failure } from '../base/errors.ts';

export type Path = readonly (string | number)[];
/** A value and the line where each part of it begins. */
export type WithLines = { value: unknown; lineOf: (path: Path) => number };

/** Reads what a person wrote in YAML, of which JSON is a part. `mistake` makes the error of a line. */
export function readYaml(source: string, mistake: (line: number, what: string) => Failure): WithLines {
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

/** Where a value begins; the nearest that is around it where it has no place of its own. */
function startOf(document: Document, at: Path): number {
  for (let length = at.length; length > 0; length -= 1) {
    const node = document.getIn(at.slice(0, length), true) as
      { range?: [number, number, number] } | undefined;
    if (node?.range) return node.range[0];
  }
  return 0;
}
