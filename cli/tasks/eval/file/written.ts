import { Failure } from '../../../../src/base/errors.ts';
import { readYaml, type WithLines } from '../../../../src/config/yaml.ts';

export const mistake = (path: string, line: number, what: string): Failure =>
  new Failure('invalid_value', `${path}, line ${line}: ${what}`);

/** The cases as they are written, in YAML or as JSON lines. */
export function readWritten(source: string, path: string): WithLines {
  return /\.(jsonl|ndjson)$/i.test(path)
    ? readJsonLines(source, path)
    : readYaml(source, (line, what) => mistake(path, line, what));
}

/** One case per line. A first line {"defaults": {…}} has what a YAML file has above its cases. */
function readJsonLines(source: string, path: string): WithLines {
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
