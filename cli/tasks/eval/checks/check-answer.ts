import { Failure } from '../../../../src/base/errors.ts';
import { matches } from './bounded-pattern.ts';
import type { Answer, CheckResult, LocalCheck } from './check.ts';
import { differenceBetween, quote } from './quote.ts';
import { schemaObjection } from './schema.ts';
import { toolCallObjection } from './tool-call.ts';

/** Checks that need nothing but the answer. */
export function checkAnswer(check: LocalCheck, answer: Answer): CheckResult {
  try {
    const reason = objectionOf(check, answer) ?? null;
    return { check: check.kind, outcome: reason === null ? 'passed' : 'failed', reason };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { check: check.kind, outcome: 'error', reason: error.message };
  }
}

function objectionOf(check: LocalCheck, answer: Answer): string | undefined {
  const { text } = answer;
  switch (check.kind) {
    case 'exact':
      return exactObjection(check, text);
    case 'contains': {
      const missing = check.texts.find((wanted) => !includes(text, wanted, check.ignoreCase));
      return missing === undefined ? undefined : `${quote(missing)} is not in ${quote(text)}`;
    }
    case 'not_contains': {
      const found = check.texts.find((unwanted) => includes(text, unwanted, check.ignoreCase));
      return found === undefined ? undefined : `${quote(found)} is in ${quote(text)}`;
    }
    case 'regex': {
      const { pattern, ignoreCase } = check;
      const isMatch = matches(pattern, ignoreCase ? 'ui' : 'u', text);
      return isMatch ? undefined : `/${pattern}/ does not match ${quote(text)}`;
    }
    case 'json_schema':
      return schemaObjection(check.schema, text);
    case 'tool_call':
      return toolCallObjection(check, answer);
  }
}

/** White space around an answer is ignored. */
function exactObjection({ texts, ignoreCase }: LocalCheck & { kind: 'exact' }, text: string) {
  const actual = text.trim();
  const isOne = texts.some((each) => fold(each.trim(), ignoreCase) === fold(actual, ignoreCase));
  if (isOne) return undefined;
  const [only = ''] = texts;
  if (texts.length === 1) return differenceBetween(only.trim(), actual);
  return `expected one of ${texts.map((each) => quote(each)).join(', ')}, got ${quote(actual)}`;
}

function includes(text: string, part: string, ignoreCase: boolean): boolean {
  return fold(text, ignoreCase).includes(fold(part, ignoreCase));
}

function fold(text: string, ignoreCase: boolean): string {
  return ignoreCase ? text.toLowerCase() : text;
}
