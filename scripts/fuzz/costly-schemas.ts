import type { JsonSchema } from '../../src/runtime/engine.ts';

const list = <Value>(length: number, make: (index: number) => Value) =>
  Array.from({ length }, (_, index) => make(index));
const pattern = (text: string): JsonSchema => ({ type: 'string', pattern: text });
const named = (index: number) => ({
  type: 'object',
  properties: { [`p${index}`]: { const: index } },
  required: [`p${index}`],
  additionalProperties: false,
});
const nested = (keyword: string, depth: number, wrap: (inner: unknown) => unknown = (inner) => inner) => {
  let schema: JsonSchema = {};
  for (let level = 0; level < depth; level++) schema = { [keyword]: wrap(schema) };
  return schema;
};

/** Each would block a model for seconds or hours, or end the process. */
export const COSTLY_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  'a pattern of optional parts before as many required ones': pattern('^(a?){500}(a){500}$'),
  'the same with thirty': pattern('^(a?){30}(a){30}$'),
  '20,000 nested parentheses': pattern('('.repeat(20_000) + ')'.repeat(20_000)),
  '1,900 nested parentheses': pattern('('.repeat(1900) + ')'.repeat(1900)),
  'repetitions in repetitions': pattern('^((a{0,100}){0,100}){0,100}$'),
  'look-aheads that multiply': pattern('(?=.*[a-z]{40})(?=.*[0-9]{40})(?=.*x.{20}y)^.{8,64}$'),
  '5,000 objects in anyOf': { anyOf: list(5000, named) },
  '500 objects in anyOf that begin alike': { anyOf: list(500, named) },
  '2,000 lists in anyOf': {
    anyOf: list(2000, (index) => ({ type: 'array', items: { type: 'string' }, maxItems: index + 1 })),
  },
  'choices of two, eleven times': {
    allOf: list(11, (index) => ({
      anyOf: ['a', 'b'].map((name) => ({ properties: { [name + index]: { type: 'string' } } })),
    })),
  },
  '200 properties with costly patterns': {
    type: 'object',
    properties: Object.fromEntries(
      list(200, (index) => [`p${index}`, pattern(`^(?=.*[a-z])(?=.*[A-Z])(?=.*[0-9]).{8,64}${index}$`)]),
    ),
  },
  'items nested 5,000 deep': nested('items', 5000),
  'allOf nested 5,000 deep': nested('allOf', 5000, (inner) => [inner]),
  'anyOf nested 5,000 deep': nested('anyOf', 5000, (inner) => [inner, { type: 'null' }]),
};

/** Large, but realistic. */
export const HONEST_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  'any value': {},
  'a password': pattern('^(?=.*[a-z])(?=.*[A-Z])(?=.*[0-9]).{8,64}$'),
  'words with single spaces': pattern('^(\\w+\\s?)+$'),
  'a name of many letters': pattern('^[\\p{L}\\p{N}]{1,1000}$'),
  'one of 5,000 constants': { enum: list(5000, (index) => `value number ${index}`) },
  'fifty objects in anyOf': { anyOf: list(50, named) },
  'numbers and whole numbers in one list': {
    type: 'array',
    items: { anyOf: [{ type: 'integer' }, { type: 'number' }] },
  },
  '256 kinds of objects': {
    oneOf: list(256, (index) => ({
      type: 'object',
      properties: { kind: { const: `k${index}` }, a: { type: 'string' } },
      required: ['kind'],
    })),
  },
  '200 optional properties': {
    type: 'object',
    properties: Object.fromEntries(list(200, (index) => [`p${index}`, { type: 'string' }])),
  },
  'a string of at most 65,536 characters': { type: 'string', maxLength: 65_536 },
};
