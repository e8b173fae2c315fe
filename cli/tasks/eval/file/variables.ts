import { didYouMean } from '../../../../src/base/did-you-mean.ts';
import type { Variables } from './eval-file.ts';

const PLACE = /\{\{\s*([\p{L}_][\p{L}\p{N}_.-]*)\s*\}\}/gu;
const ONLY_A_PLACE = new RegExp(`^${PLACE.source}$`, 'u');

/** Names a variable that does not exist. */
export class UnknownVariable extends Error {
  constructor(name: string, known: readonly string[]) {
    const near = didYouMean(name, known);
    super(`There is no variable "${name}".${near || ` There are ${known.join(', ')}.`}`);
  }
}

/**
 * Puts the variables of a case into every text of a value. A text that is just one variable becomes its value, so
 * that numbers stay numbers. Without any variables, braces are braces.
 */
export function fill<Value>(value: Value, variables: Variables): Value {
  return Object.keys(variables).length === 0 ? value : (fillAny(value, variables) as Value);
}

function fillAny(value: unknown, variables: Variables): unknown {
  if (typeof value === 'string') return fillText(value, variables);
  if (Array.isArray(value)) return value.map((each) => fillAny(each, variables));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fillAny(each, variables)]));
}

function fillText(text: string, variables: Variables): unknown {
  const only = ONLY_A_PLACE.exec(text)?.[1];
  if (only !== undefined) return valueOf(only, variables);
  return text.replace(PLACE, (_, name: string) => toText(valueOf(name, variables)));
}

function valueOf(name: string, variables: Variables): unknown {
  if (Object.hasOwn(variables, name)) return variables[name];
  throw new UnknownVariable(name, Object.keys(variables));
}

export function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Whether a text names a variable. */
export function hasPlace(text: string): boolean {
  return text.search(PLACE) !== -1;
}
