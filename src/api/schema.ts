import type { Type as TypeBox, Static, TSchema } from 'typebox';

export type { Static, TSchema };

type Options = Record<string, unknown>;
type Builders = Pick<
  typeof TypeBox,
  | 'Any'
  | 'Array'
  | 'Boolean'
  | 'Enum'
  | 'Integer'
  | 'Literal'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'Record'
  | 'String'
  | 'Union'
  | 'Unknown'
>;

/** Marks optional properties; JSON Schema has no keyword for it on the property itself. */
const OPTIONAL = new WeakSet<object>();

const ofType =
  (type: string) =>
  (options: Options = {}) => ({ type, ...options });

/**
 * TypeBox's types as plain JSON Schema. TypeBox itself has 373 modules, which every command and every daemon start
 * would load to create a few objects. A test compares these with TypeBox's own output.
 */
export const Type = {
  Any: (options: Options = {}) => ({ ...options }),
  Array: (items: TSchema, options: Options = {}) => ({ type: 'array', items, ...options }),
  Boolean: ofType('boolean'),
  Enum: (values: readonly unknown[], options: Options = {}) => ({ enum: values, ...options }),
  Integer: ofType('integer'),
  Literal: (value: unknown, options: Options = {}) => ({ type: typeof value, const: value, ...options }),
  Null: ofType('null'),
  Number: ofType('number'),
  Object: objectOf,
  Optional: optional,
  /** Any string is a valid key. */
  Record: (_keys: TSchema, values: TSchema, options: Options = {}) => ({
    type: 'object',
    patternProperties: { '^.*$': values },
    ...options,
  }),
  String: ofType('string'),
  Union: (anyOf: TSchema[], options: Options = {}) => ({ anyOf, ...options }),
  Unknown: (options: Options = {}) => ({ ...options }),
} as unknown as Builders;

function objectOf(properties: Record<string, TSchema>, options: Options = {}) {
  const required = Object.keys(properties).filter((name) => !OPTIONAL.has(properties[name] ?? {}));
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...options };
}

function optional(schema: TSchema): TSchema {
  const copy = { ...schema };
  OPTIONAL.add(copy);
  return copy;
}
