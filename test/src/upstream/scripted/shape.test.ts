import { Ajv } from 'ajv';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findMistake, type Shape } from '../../../../src/upstream/scripted/shape.ts';

const KINDS: Record<string, object> = {
  string: { type: 'string' },
  boolean: { type: 'boolean' },
  object: { type: 'object' },
  'whole number': { type: 'integer', minimum: 0 },
};
const ajv = new Ajv({ strict: false, meta: false, validateSchema: false, ownProperties: true });
const NAMES = ['a', 'b', 'c', 'toString'];
const name = fc.constantFrom(...NAMES);

const { shape } = fc.letrec<{ shape: Shape }>((tie) => ({
  shape: fc.oneof(
    { maxDepth: 3 },
    fc.record({ is: fc.uniqueArray(fc.constantFrom(...Object.keys(KINDS)), { minLength: 1 }) }),
    fc.record(
      {
        fields: fc.dictionary(name, tie('shape'), { maxKeys: 3, noNullPrototype: true }),
        required: fc.uniqueArray(name, { maxLength: 2 }),
        notEmpty: fc.boolean(),
      },
      { requiredKeys: ['fields'] },
    ),
    fc.record({ items: tie('shape'), notEmpty: fc.boolean() }, { requiredKeys: ['items'] }),
  ) as fc.Arbitrary<Shape>,
}));

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('text', true, 0, 3, -1, 1.5, null),
    fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
}));

test('a shape accepts exactly what the same JSON Schema does', () => {
  fc.assert(
    fc.property(shape, value, (wanted, given) => {
      const isValid = ajv.validate(toSchema(wanted), given);
      expect(findMistake(given, wanted) === undefined).toBe(isValid);
    }),
    { numRuns: 300 },
  );
});

test('a mistake names where it is', () => {
  const wanted: Shape = { fields: { rules: { items: { fields: { text: { is: ['string'] } } } } } };
  expect(findMistake({ rules: [{}, { text: 5 }] }, wanted)).toEqual({
    path: ['rules', 1, 'text'],
    what: 'text must be string.',
  });
});

function toSchema(wanted: Shape): object {
  if ('is' in wanted) return { anyOf: wanted.is.map((kind) => KINDS[kind]) };
  if ('items' in wanted)
    return { type: 'array', items: toSchema(wanted.items), minItems: wanted.notEmpty ? 1 : 0 };
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(wanted.fields).map(([key, each]) => [key, toSchema(each)])),
    required: wanted.required ?? [],
    additionalProperties: false,
    minProperties: wanted.notEmpty ? 1 : 0,
  };
}
