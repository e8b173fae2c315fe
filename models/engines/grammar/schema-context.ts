import { Failure } from '../../../src/base/errors.ts';
import type { JsonSchema } from '../../../src/runtime/engine.ts';
import type { Values } from './json-values.ts';
import type { Rules } from './rules.ts';

export type SchemaObject = { readonly [keyword: string]: unknown };

/** Shared by the parts of the conversion. */
export type SchemaContext = {
  rules: Rules;
  values: Values;
  root: JsonSchema;
  /** The expression of a schema; `path` is its JSON pointer. */
  convert: (schema: unknown, path: string) => string;
  /** Throws, or returns if the schema need not be enforced exactly. */
  refuse: (keyword: string, path: string, why?: string) => void;
};

/** `param` is the field of the request that holds the schema. */
export function unsupported(keyword: string, path: string, { param, why }: { param: string; why?: string }) {
  const reason = why ?? 'it cannot be enforced during generation';
  return new Failure(
    'unsupported_schema',
    `The schema has "${keyword}" at ${path}, which is not supported: ${reason}.`,
    { param, details: { keyword, path } },
  );
}

export function isSchemaObject(schema: unknown): schema is SchemaObject {
  return typeof schema === 'object' && schema !== null && !Array.isArray(schema);
}

export function pointer(path: string, ...steps: (string | number)[]): string {
  return [path, ...steps.map((step) => String(step).replaceAll('~', '~0').replaceAll('/', '~1'))].join('/');
}

/** A count such as maxLength: a non-negative integer. */
export function countOf(schema: SchemaObject, keyword: string, path: string, context: SchemaContext) {
  const value = schema[keyword];
  if (value === undefined) return undefined;
  if (Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= COUNT_MAX) {
    return value as number;
  }
  context.refuse(keyword, path, `it must be a whole number from 0 to ${COUNT_MAX}`);
  return undefined;
}

/** A larger number would mean the same as no bound, and would make an enormous grammar. */
const COUNT_MAX = 65_536;
