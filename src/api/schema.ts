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

/** A property that need not be there; a schema itself has no word for it. */
const OPTIONAL = new WeakSet<object>();

const ofType =
  (type: string) =>
  (options: Options = {}) => ({ type, ...options });

/**
 * TypeBox's types over plain JSON Schema. TypeBox itself is 373 modules, which every command and every start of the
 * daemon would read to make these few objects; a test holds them to what it makes.
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
  /** Its keys are any texts. */
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
