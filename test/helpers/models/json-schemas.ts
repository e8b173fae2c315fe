import fc from 'fast-check';

type Schema = Record<string, unknown>;

const NAMES = ['a', 'name', 'größe', 'with "quotes"', 'x-y', 'a\\b', '世界', 'namely', ''];

/** Schemas with everything that is supported, small enough that random text for them comes to an end. */
export const supportedSchema: fc.Arbitrary<Schema> = fc.letrec<{ schema: Schema }>((tie) => ({
  schema: fc.oneof({ maxDepth: 3, withCrossShrink: true }, ...leaves(), ...branches(tie('schema'))),
})).schema;

function leaves(): fc.Arbitrary<Schema>[] {
  const small = fc.integer({ min: -30, max: 1200 });
  const bounds = fc
    .tuple(small, fc.nat(300))
    .map(([minimum, more]) => ({ minimum, maximum: minimum + more }));
  const lengths = fc
    .tuple(fc.nat(3), fc.nat(5))
    .map(([minLength, more]) => ({ minLength, maxLength: minLength + more }));
  const value = fc.oneof(fc.string({ maxLength: 6 }), fc.integer(), fc.boolean(), fc.constant(null));
  return [
    lengths.map((length) => ({ type: 'string', ...length })),
    fc
      .constantFrom(
        '^[a-z]{1,5}$',
        '^\\d{3}-\\d{2}$',
        '^(yes|no)$',
        '^[^x"]{2,4}$',
        '^#[0-9a-fA-F]{6}$',
        '^a+b?\\.\\w{1,3}$',
      )
      .map((pattern) => ({ type: 'string', pattern })),
    fc
      .constantFrom('date', 'time', 'date-time', 'uuid', 'ipv4', 'email', 'uri')
      .map((format) => ({ type: 'string', format })),
    bounds.map((bound) => ({ type: 'integer', ...bound })),
    bounds.map(({ minimum, maximum }) => ({
      type: 'number',
      exclusiveMinimum: minimum,
      maximum: maximum + 1,
    })),
    bounds.map(({ minimum, maximum }) => ({ type: 'number', minimum, exclusiveMaximum: maximum + 1 })),
    fc.constantFrom('integer', 'number', 'boolean', 'null').map((type) => ({ type })),
    fc.constant({ type: ['integer', 'null'], minimum: 5 }),
    value.map((constant) => ({ const: constant })),
    fc.array(value, { minLength: 1, maxLength: 4 }).map((values) => ({ enum: values })),
  ];
}

function branches(schema: fc.Arbitrary<Schema>): fc.Arbitrary<Schema>[] {
  const properties = fc.dictionary(fc.constantFrom(...NAMES), schema, { maxKeys: 4 });
  const object = fc
    .tuple(properties, fc.infiniteStream(fc.boolean()), fc.constantFrom(undefined, false, { type: 'null' }))
    .map(([known, picks, additionalProperties]) => ({
      type: 'object',
      properties: known,
      required: Object.keys(known).filter(() => picks.next().value),
      ...(additionalProperties !== undefined && { additionalProperties }),
    }));
  const sizes = fc
    .tuple(fc.nat(2), fc.nat(2))
    .map(([minItems, more]) => ({ minItems, maxItems: minItems + more }));
  return [
    object,
    fc.tuple(schema, sizes).map(([items, size]) => ({ type: 'array', items, ...size })),
    fc
      .tuple(schema, schema, sizes)
      .map(([first, items, size]) => ({ type: 'array', prefixItems: [first], items, ...size })),
    fc.tuple(schema, schema).map((anyOf) => ({ anyOf })),
    fc.tuple(properties, properties).map(([one, other]) => ({
      oneOf: [tagged('one', one), tagged('other', other)],
    })),
  ];
}

function tagged(kind: string, properties: Record<string, Schema>): Schema {
  return {
    type: 'object',
    properties: { kind: { const: kind }, ...properties },
    required: ['kind'],
    additionalProperties: false,
  };
}

/** Schemas whose keywords are combined with choices, references and each other; some of them are unsatisfiable. */
export const joinedSchema: fc.Arbitrary<Schema> = fc.oneof(
  fc.tuple(supportedSchema, supportedSchema).map((allOf) => ({ allOf })),
  fc.tuple(supportedSchema, supportedSchema, supportedSchema).map(([one, ...anyOf]) => ({ ...one, anyOf })),
  fc.tuple(supportedSchema, supportedSchema).map(([one, ...allOf]) => ({ ...one, allOf })),
  fc
    .tuple(supportedSchema, supportedSchema)
    .map(([target, beside]) => ({ ...beside, $ref: '#/$defs/target', $defs: { target } })),
  fc
    .tuple(supportedSchema, fc.constantFrom('string', 'object', ['number', 'null'], 'array'), supportedSchema)
    .map(([one, type, other]) => ({
      anyOf: [one, other, { type: 'boolean' }],
      type: [type, 'boolean'].flat(),
    })),
  fc
    .tuple(fc.constantFrom('^[a-c]*$', '^b', 'c$', '^(?!a).*$'), fc.constantFrom('a|b', '^[^a]+$'), fc.nat(3))
    .map(([one, other, minLength]) => ({
      type: 'string',
      maxLength: minLength + 3,
      allOf: [{ pattern: one }, { pattern: other, minLength }],
    })),
  fc
    .tuple(fc.double({ min: -20, max: 20, noNaN: true }), fc.nat(9), fc.constantFrom(1, 0.1, 0.001))
    .map(([start, more, multipleOf]) => {
      const minimum = Number(start.toFixed(3));
      return {
        allOf: [
          { type: 'number', minimum },
          { exclusiveMaximum: minimum + more + 1, multipleOf },
        ],
      };
    }),
);
