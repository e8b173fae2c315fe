import { expect, test } from 'vitest';
import { schemaRule } from '../../../models/engines/grammar/json-schema.ts';
import { recursionIn } from '../../../models/engines/grammar/recursion.ts';
import { createRules } from '../../../models/engines/grammar/rules.ts';
import type { JsonSchema } from '../../../src/runtime/engine.ts';

function grammarOf(schema: JsonSchema): string {
  const rules = createRules();
  const root = rules.reserve('root');
  rules.fill(root, schemaRule(schema, rules, { param: 'x' }));
  return rules.text();
}

test.each<[string, JsonSchema]>([
  ['alternatives', { anyOf: [{ $ref: '#' }, { type: 'string' }] }],
  [
    'others',
    { $ref: '#/$defs/a', $defs: { a: { anyOf: [{ $ref: '#/$defs/b' }] }, b: { $ref: '#/$defs/a' } } },
  ],
])('a schema that refers to itself through %s is found', (_way, schema) => {
  expect(recursionIn(grammarOf(schema))).toBeDefined();
});

test.each<[string, JsonSchema]>([
  ['any value', true],
  ['lists of itself', { type: 'array', items: { $ref: '#' } }],
  [
    'a tree',
    { type: 'object', properties: { left: { $ref: '#' }, name: { type: 'string', maxLength: 300 } } },
  ],
  ['numbers', { type: 'object', properties: { n: { type: 'number' }, k: { type: 'integer', minimum: -3 } } }],
])('%s is not mistaken for one', (_what, schema) => {
  expect(recursionIn(grammarOf(schema))).toBeUndefined();
});
