import { Type as TypeBox } from 'typebox';
import { expect, test } from 'vitest';
import { Type } from '../../../src/api/schema.ts';

type Builders = typeof Type;

const NOTED = { $id: 'Noted', description: 'What it is.' };

const SCHEMAS: Record<keyof Builders, (type: Builders) => readonly object[]> = {
  Any: (type) => [type.Any(), type.Any(NOTED)],
  Array: (type) => [
    type.Array(type.String()),
    type.Array(type.Unknown(), { minItems: 1, uniqueItems: true }),
  ],
  Boolean: (type) => [type.Boolean(), type.Boolean({ default: false })],
  Enum: (type) => [type.Enum(['a', 'b']), type.Enum([1, 2], NOTED)],
  Integer: (type) => [type.Integer(), type.Integer({ minimum: 1, maximum: 9 })],
  Literal: (type) => [type.Literal('a'), type.Literal(1), type.Literal(true, NOTED)],
  Null: (type) => [type.Null(), type.Null(NOTED)],
  Number: (type) => [type.Number(), type.Number({ exclusiveMinimum: 0 })],
  Object: (type) => [
    type.Object({}),
    type.Object({ a: type.Optional(type.String()) }),
    type.Object(
      { a: type.String(), b: type.Optional(type.Integer(NOTED)), c: type.Null() },
      { additionalProperties: false, ...NOTED },
    ),
  ],
  Optional: (type) => [
    type.Optional(type.String()),
    type.Optional(type.Object({ a: type.Boolean() }, NOTED)),
  ],
  Record: (type) => [
    type.Record(type.String(), type.Number()),
    type.Record(type.String(), type.Any(), NOTED),
  ],
  String: (type) => [type.String(), type.String({ minLength: 1, pattern: '^a' })],
  Union: (type) => [type.Union([type.Null(), type.String()]), type.Union([type.Literal('a')], NOTED)],
  Unknown: (type) => [type.Unknown(), type.Unknown(NOTED)],
};

test.each(Object.keys(Type) as (keyof Builders)[])("a schema of Type.%s equals TypeBox's own", (name) => {
  const ours = SCHEMAS[name](Type).map((schema) => JSON.stringify(schema));
  const theirs = SCHEMAS[name](TypeBox).map((schema) => JSON.stringify(schema));
  expect(ours).toEqual(theirs);
});

test('a property made optional in one object stays required in another that shares it', () => {
  const text = Type.String();
  expect(Type.Object({ a: Type.Optional(text) })).not.toHaveProperty('required');
  expect(Type.Object({ a: text })).toHaveProperty('required', ['a']);
});
