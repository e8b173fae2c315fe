import { describe, expect, test } from 'vitest';
import { createEvaluation, readCosts } from '../../../../../models/engines/grammar/evaluation/evaluation.ts';
import { schemaRule } from '../../../../../models/engines/grammar/json-schema.ts';
import { createRules } from '../../../../../models/engines/grammar/rules.ts';
import { Failure } from '../../../../../src/base/errors.ts';
import { bundledGrammars } from '../../../../../scripts/fixtures/llama-files.ts';
import type { JsonSchema } from '../../../../../src/runtime/engine.ts';
import { COSTLY_SCHEMAS, HONEST_SCHEMAS } from '../../../../../scripts/fuzz/costly-schemas.ts';

function grammarOf(schema: JsonSchema): string {
  const rules = createRules();
  rules.define('root', schemaRule(schema, rules, { param: 'response_format' }));
  return rules.text();
}

function refusalOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
}

const bytes = (text: string) => new TextEncoder().encode(text);

describe('before anything runs', () => {
  test.each(Object.entries(COSTLY_SCHEMAS))('%s is refused', (_, schema) => {
    const code = refusalOf(() => readCosts(grammarOf(schema)));
    expect(['schema_too_costly', 'unsupported_schema']).toContain(code);
  });

  test.each(Object.entries(HONEST_SCHEMAS))('%s is accepted', (_, schema) => {
    expect(refusalOf(() => readCosts(grammarOf(schema)))).toBeUndefined();
  });

  test.each([
    [
      'alternatives that overlap in each of many repetitions',
      'root ::= (a? a? a? a? a? a? a?)*\na ::= [a-z] | [a-m] | [a-e]',
    ],
    ['repetitions in repetitions', 'root ::= ((([a-z]{0,50}){0,50}){0,50}){0,50}'],
  ])('a grammar with %s is refused', (_, grammar) => {
    expect(refusalOf(() => readCosts(grammar))).toBe('schema_too_costly');
  });

  test("llama.cpp's own grammars are accepted", () => {
    for (const [name, text] of bundledGrammars())
      expect(
        refusalOf(() => readCosts(text)),
        name,
      ).toBeUndefined();
  });
});

describe('while an answer is generated', () => {
  test('it ends where the next step is too costly', () => {
    const late = grammarOf({
      type: 'object',
      properties: { a: { const: 'x'.repeat(200) }, b: { type: 'string', pattern: '^(a?){500}(a){500}$' } },
      required: ['a', 'b'],
      additionalProperties: false,
    });
    const evaluation = createEvaluation(readCosts(late));
    for (const text of ['{', '"a"', ':', '"', 'x'.repeat(150)]) evaluation.accept(bytes(text));
    expect(
      refusalOf(() =>
        ['x'.repeat(50), '"', ',', '"b"', ':', '"'].forEach((text) => evaluation.accept(bytes(text))),
      ),
    ).toBe('schema_too_costly');
  });

  test('many open alternatives are refused only if they persist', () => {
    const words = Array.from({ length: 100 }, (_, index) => `[a-z]* "${index}"`);
    const evaluation = createEvaluation(readCosts(`root ::= ${words.join(' | ')}`));
    const accept = (count: number) => {
      for (let token = 0; token < count; token++) evaluation.accept(bytes('a'));
    };
    expect(refusalOf(() => accept(10))).toBeUndefined();
    expect(refusalOf(() => accept(200))).toBe('schema_too_costly');
  });

  test('many kinds of objects are accepted, however their beginning is split into tokens', () => {
    const kinds = HONEST_SCHEMAS['256 kinds of objects'] ?? {};
    const evaluation = createEvaluation(readCosts(grammarOf(kinds)));
    for (const character of '{"kind":"k17", "a":"text"}') evaluation.accept(bytes(character));
  });

  test('a long text with few alternatives is accepted to its end', () => {
    const evaluation = createEvaluation(readCosts(grammarOf({ type: 'object' })));
    evaluation.accept(bytes('{"text": "'));
    for (let word = 0; word < 2000; word++) evaluation.accept(bytes(' wörd'));
    evaluation.accept(bytes('"}'));
  });
});
