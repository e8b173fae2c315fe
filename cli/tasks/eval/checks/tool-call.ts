import type { Answer, Check } from './check.ts';
import { quote, shorten } from './quote.ts';

/** Why no call of the answer is the expected one; if there are several calls, any may match. */
export function toolCallObjection(
  { name, arguments: wanted }: Check & { kind: 'tool_call' },
  { text, toolCalls }: Answer,
): string | undefined {
  if (toolCalls.length === 0) return `${name} was not called: the answer is ${quote(text)}`;
  const named = toolCalls.filter((call) => call.name === name);
  if (named.length === 0)
    return `${name} was not called, but ${toolCalls.map((call) => call.name).join(', ')}`;
  const objections = named.map((call) => subsetObjection(wanted, call.arguments, 'arguments'));
  return objections.includes(undefined) ? undefined : objections[0];
}

/** Objects may have more than expected, lists may not. */
function subsetObjection(expected: unknown, actual: unknown, where: string): string | undefined {
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return differs(expected, actual, where);
    return firstObjection(expected.keys(), (index) =>
      subsetObjection(expected[index], actual[index], `${where}[${index}]`),
    );
  }
  if (isObject(expected)) {
    if (!isObject(actual)) return differs(expected, actual, where);
    return firstObjection(Object.keys(expected), (key) =>
      Object.hasOwn(actual, key)
        ? subsetObjection(expected[key], actual[key], `${where}.${key}`)
        : `${where}.${key} is missing, expected ${show(expected[key])}`,
    );
  }
  return Object.is(expected, actual) ? undefined : differs(expected, actual, where);
}

function firstObjection<Key>(keys: Iterable<Key>, objectionOf: (key: Key) => string | undefined) {
  for (const key of keys) {
    const objection = objectionOf(key);
    if (objection !== undefined) return objection;
  }
  return undefined;
}

function differs(expected: unknown, actual: unknown, where: string): string {
  return `${where} is ${show(actual)}, expected ${show(expected)}`;
}

function show(value: unknown): string {
  return typeof value === 'string' ? quote(value) : shorten(JSON.stringify(value) ?? 'nothing');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
