import { LineCounter, parseDocument, type Document } from 'yaml';
import { Failure } from '../../../../src/base/errors.ts';

/** A value of a file and where each part of it stands. */
export type Written = { value: unknown; lineOf: (path: Path) => number };
export type Path = readonly (string | number)[];

export const mistake = (path: string, line: number, what: string): Failure =>
  new Failure('invalid_value', `${path}, line ${line}: ${what}`);

/** YAML, of which JSON is a part. */
export function readYaml(source: string, path: string): Written {
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines });
  const [broken] = document.errors;
  if (broken) {
    const [reason = ''] = broken.message.split('\n');
    throw mistake(path, broken.linePos?.[0].line ?? 1, reason.replace(/ at line \d+, column \d+:?$/, '.'));
  }
  const lineOf = (at: Path) => lines.linePos(startOf(document, at)).line;
  try {
    return { value: document.toJS(), lineOf };
  } catch (cause) {
    // Aliases that multiply beyond any use.
    throw mistake(path, 1, (cause as Error).message);
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

/** One case a line. A first line {"defaults": {…}} has what a YAML file has above its cases. */
export function readJsonLines(source: string, path: string): Written {
  const cases: unknown[] = [];
  const lines: number[] = [];
  let defaults: object = {};
  let defaultsLine = 1;
  for (const [index, text] of source
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    if (text.trim() === '') continue;
    const value = parseLine(text);
    if (value === undefined) throw mistake(path, index + 1, 'This is not a JSON object on one line.');
    if (cases.length === 0 && isDefaults(value)) {
      defaults = value.defaults;
      defaultsLine = index + 1;
      continue;
    }
    cases.push(value);
    lines.push(index + 1);
  }
  return {
    value: { ...defaults, cases },
    lineOf: ([first, index]) => (first === 'cases' ? (lines[Number(index)] ?? 1) : defaultsLine),
  };
}

function parseLine(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isDefaults(value: object): value is { defaults: object } {
  return Object.keys(value).length === 1 && 'defaults' in value && typeof value.defaults === 'object';
}
