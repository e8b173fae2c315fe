import { Ajv, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { isSchemaObject } from '../../../../models/engines/grammar/schema-context.ts';
import { llama } from '../../../../models/engines/llama.ts';
import { Failure } from '../../../../src/base/errors.ts';
import type { JsonSchema, Session } from '../../../../src/runtime/engine.ts';
import { bundledSchemas } from '../../../../scripts/fixtures/llama-files.ts';
import { joinedSchema } from '../../../helpers/models/json-schemas.ts';
import { randomModel } from '../../../helpers/models/models.ts';
import { ask, user } from '../../chats.ts';
import { load } from '../../engine-contract.ts';

const OPTIONS: Options = { strict: false, multipleOfPrecision: 9 };
const ajv = new Ajv2020(OPTIONS);
const ajv7 = new Ajv({ ...OPTIONS, unicodeRegExp: false });
addFormats.default(ajv);
addFormats.default(ajv7);

/** Bytes are tokens with the same number here. Without this, strings would hardly ever end. */
const ENDS = Object.fromEntries(
  [...'"}]'].map((character) => [character.charCodeAt(0), character === '"' ? 5 : 4]),
);

let session: Session;
beforeAll(async () => {
  session = await load(llama, (await randomModel('llama', { seed: 3 })).path, { contextTokens: 4096 });
});
afterAll(() => session[Symbol.asyncDispose]());

/** The answer of a model with random weights under the schema; undefined if it did not end. */
async function written(schema: unknown, seed: number): Promise<unknown> {
  const { text, reason } = await ask(session, {
    messages: user('x'),
    maxTokens: 3000,
    format: { type: 'schema', schema: schema as JsonSchema },
    sampling: { temperature: 1.5, topP: 1, presencePenalty: 0, frequencyPenalty: 0, seed },
    logitBias: ENDS,
  });
  return reason === 'length' ? undefined : JSON.parse(text);
}

/** Of the newest draft, otherwise of draft 7 with its regular expressions; undefined for what is not a schema. */
function refereeOf(schema: object): ((value: unknown) => boolean) | undefined {
  for (const referee of [ajv, ajv7]) {
    try {
      const validate = referee.compile(schema);
      return (value) => validate(value) === true;
    } catch {
      // The other draft may accept it.
    }
  }
  return undefined;
}

async function answers(schema: unknown, count: number): Promise<unknown[]> {
  const values: unknown[] = [];
  for (let seed = 0; seed < count; seed++) values.push(await written(schema, seed));
  return values.filter((value) => value !== undefined);
}

const strict = z.object({ a: z.string() });
const ZOD: Record<string, z.ZodType> = {
  'an e-mail address': z.email(),
  'a UUID': z.uuid(),
  'a UUID of version 4': z.uuidv4(),
  'a URL': z.url(),
  'a date and time': z.iso.datetime(),
  'a date and time with an offset': z.iso.datetime({ offset: true }),
  'a date': z.iso.date(),
  'a time': z.iso.time(),
  'a duration': z.iso.duration(),
  'an IPv4 address': z.ipv4(),
  'an IPv6 address': z.ipv6(),
  'a block of IPv4 addresses': z.cidrv4(),
  base64: z.base64(),
  'base64 for URLs': z.base64url(),
  'a nano id': z.nanoid(),
  'a cuid2': z.cuid2(),
  'a ULID': z.ulid(),
  emoji: z.emoji(),
  'a telephone number': z.e164(),
  'a 32-bit float': z.float32(),
  hundredths: z.number().multipleOf(0.01).min(0).max(5),
  'a positive number': z.number().positive().max(0.75),
  'a record': z.record(z.string(), z.number()),
  'a record of listed names': z.record(z.enum(['a', 'b']), z.boolean()),
  'a record of some listed names': z.partialRecord(z.enum(['a', 'b']), z.boolean()),
  'a record of names with a pattern': z.record(z.string().regex(/^x-[a-z]{1,4}$/), z.boolean()),
  'a tuple': z.tuple([z.boolean(), z.number()]),
  'a tuple with a rest': z.tuple([z.boolean()]).rest(z.number()),
  'an intersection': z.intersection(strict, z.object({ b: z.number() })),
  'a union of objects': z.union([strict, z.object({ b: z.number() })]),
  'a discriminated union': z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('a') }),
    z.object({ kind: z.literal('b'), n: z.number() }),
  ]),
  'text with a pattern and a length': z
    .string()
    .min(2)
    .max(5)
    .regex(/^[a-z]+$/),
  'words with a length': z
    .string()
    .min(8)
    .max(20)
    .regex(/^([a-z]+ )+[a-z]+$/),
  'text with two patterns': z
    .string()
    .regex(/^[a-f]{4,8}$/)
    .regex(/b.*c/),
  'text that begins and ends so': z.string().startsWith('ab').endsWith('yz').max(12),
  'lower case': z.string().lowercase().max(9),
  'null or a number': z.number().nullable(),
  'a list with bounds': z.array(z.boolean()).nonempty().max(3),
};

describe('llama: an answer under a zod schema is accepted by zod', () => {
  test.each(Object.entries(ZOD))('%s', async (_name, type) => {
    for (const target of ['draft-2020-12', 'draft-7'] as const) {
      const values = await answers(z.toJSONSchema(type, { target }), 4);
      expect(values.length).toBeGreaterThan(0);
      for (const value of values) expect([value, type.safeParse(value).error]).toEqual([value, undefined]);
    }
  });
});

describe("llama: an answer under a schema of llama.cpp's own tests fits it", () => {
  test.each([...bundledSchemas()])('%s', async (_name, schema) => {
    const validate = refereeOf(schema as object);
    // Theirs take one schema for the list that it must be.
    if (isSchemaObject((schema as { prefixItems?: unknown }).prefixItems)) {
      await expect(written(schema, 0)).rejects.toMatchObject({ details: { keyword: 'prefixItems' } });
      return;
    }
    const values = await answers(schema, 3);
    for (const value of values) expect([value, validate?.(value)]).toEqual([value, true]);
  });
});

describe('llama: keywords beside each other', () => {
  test('all apply, whatever they are', async () => {
    let ended = 0;
    await fc.assert(
      fc.asyncProperty(joinedSchema, fc.nat(), async (schema, seed) => {
        let value: unknown;
        try {
          value = await written(schema, seed);
        } catch (error) {
          if (error instanceof Failure && error.code === 'unsupported_schema') return;
          throw error;
        }
        if (value === undefined) return;
        ended += 1;
        const validate = ajv.compile(schema);
        expect([validate(value), validate.errors, value]).toEqual([true, null, value]);
      }),
      { numRuns: Number(process.env['RUNS'] ?? 200) },
    );
    expect(ended).toBeGreaterThan(40);
  });

  const person = { type: 'object', properties: { name: { enum: ['x'] } }, required: ['name'] };
  test.each<[string, JsonSchema, unknown[]]>([
    [
      'a type beside alternatives',
      { type: 'string', anyOf: [{ enum: ['a', 1] }, { const: 'b' }] },
      ['a', 'b'],
    ],
    [
      'enums that must both hold',
      { allOf: [{ enum: ['a', 'b', 'c'] }, { enum: ['b', 'c', 'd'] }, { not: {} }].slice(0, 2) },
      ['b', 'c'],
    ],
    [
      'properties of several schemas',
      { allOf: [person, { properties: { age: { const: 3 } }, required: ['age'] }] },
      [{ name: 'x', age: 3 }],
    ],
    [
      'one of two names required',
      {
        ...{ type: 'object', properties: { a: { const: 1 }, b: { const: 2 } } },
        anyOf: [{ required: ['a'] }, { required: ['b'] }],
      },
      [{ a: 1 }, { b: 2 }, { a: 1, b: 2 }],
    ],
    [
      'what stands beside a reference',
      {
        $defs: { n: { type: 'integer', minimum: 3 } },
        properties: { n: { $ref: '#/$defs/n', maximum: 4 } },
        required: ['n'],
      },
      [{ n: 3 }, { n: 4 }],
    ],
    ['constants with a bound', { enum: [1, 5, 'a', 'abc'], minimum: 2, maxLength: 2 }, [5, 'a']],
    [
      'types that have one in common',
      { allOf: [{ type: ['null', 'boolean'] }, { type: ['null', 'string'] }] },
      [null],
    ],
    ['a tuple of earlier drafts', { items: [{ const: 1 }, { const: 2 }], additionalItems: false }, [[1, 2]]],
    ['null as OpenAPI 3.0 says it', { type: 'boolean', nullable: true }, [true, false, null]],
    [
      'a bound between whole numbers',
      { type: 'number', minimum: 0.25, exclusiveMaximum: 0.3, multipleOf: 0.01 },
      [0.25, 0.26, 0.27, 0.28, 0.29],
    ],
    [
      'alternatives of a choice that are possible',
      { const: 'b', anyOf: [{ const: 'a' }, { const: 'b' }] },
      ['b'],
    ],
  ])('%s', async (_name, schema, expected) => {
    const values = await answers(schema, 40);
    const distinct = new Set(values.map((value) => JSON.stringify(value)));
    expect([...distinct].sort()).toEqual(expected.map((value) => JSON.stringify(value)).sort());
  });

  test('a list that refers to itself with a bound comes to an end', async () => {
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/node', maxProperties: 1 } } };
    const schema = { $defs: { node }, $ref: '#/$defs/node', minProperties: 0 };
    for (const value of await answers(schema, 5)) expect(ajv.validate(schema, value)).toBe(true);
  });

  test.each<[string, JsonSchema, string, string]>([
    [
      'what nothing can fit',
      { allOf: [{ type: 'string' }, { type: 'null' }] },
      'schema',
      'no value satisfies all',
    ],
    [
      'a name that must be there and can not',
      { properties: { a: false }, required: ['a'] },
      'required',
      '"a" is required',
    ],
    [
      'alternatives that may overlap',
      { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      'oneOf',
      'overlap',
    ],
    [
      'a reference that leads refers to itself',
      { $defs: { a: { $ref: '#/$defs/a', type: 'null' } }, $ref: '#/$defs/a' },
      '$ref',
      'refers to itself',
    ],
    [
      'too many combinations',
      { allOf: Array.from({ length: 12 }, () => ({ anyOf: [{ minLength: 1 }, { maxLength: 3 }] })) },
      'anyOf',
      'combined alternatives',
    ],
    [
      'a condition',
      { if: { type: 'string' }, then: { minLength: 3 }, allOf: [{ type: 'string' }, {}] },
      'if',
      'cannot be enforced',
    ],
    [
      'a pattern that nothing fits',
      { type: 'string', pattern: '^a$', minLength: 2 },
      'pattern',
      'no string matches',
    ],
  ])('%s is refused by name', async (_name, schema, keyword, reason) => {
    const failure = await written(schema, 0).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({
      code: 'unsupported_schema',
      message: expect.stringContaining(reason) as string,
      details: { keyword },
    });
  });
});
