import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';

export type JsonProblem = { message: string; line: number; column: number; offset: number };
export type ReadJson = { value: unknown; problem?: undefined } | { value?: undefined; problem: JsonProblem };

/** Parses JSON as it is typed: the first error has its position in the text. */
export function readJson(text: string): ReadJson {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [first] = errors;
  if (first === undefined) return { value };
  return { problem: { message: wordsOf(printParseErrorCode(first.error)), ...placeOf(text, first.offset) } };
}

export function placeOf(text: string, offset: number): { line: number; column: number; offset: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1, offset };
}

/** `CommaExpected` → `Comma expected`. */
function wordsOf(code: string): string {
  const words = code.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Indented if it is JSON, otherwise unchanged. */
export function formatted(text: string): string {
  const { value, problem } = readJson(text);
  return problem ? text : JSON.stringify(value, null, 2);
}
