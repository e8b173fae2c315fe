import { describe, expect, test } from 'vitest';
import type { LocalCheck } from '../../../../../cli/tasks/eval/checks/check.ts';
import { checkAnswer } from '../../../../../cli/tasks/eval/checks/check-answer.ts';
import { checkSimilarity, cosine } from '../../../../../cli/tasks/eval/checks/similarity.ts';

const ignoreCase = false;
const checked = (check: LocalCheck, text: string) => checkAnswer(check, { text, toolCalls: [] });

test.each<[string, LocalCheck, string]>([
  ['exact', { kind: 'exact', texts: ['43'], ignoreCase }, ' 43\n'],
  ['exact, one of several', { kind: 'exact', texts: ['no', 'yes'], ignoreCase }, 'yes'],
  ['exact in any case', { kind: 'exact', texts: ['YES'], ignoreCase: true }, 'Yes'],
  ['contains', { kind: 'contains', texts: ['a', 'b'], ignoreCase }, 'b and a'],
  ['not_contains', { kind: 'not_contains', texts: ['sorry'], ignoreCase }, 'Here it is.'],
  ['regex', { kind: 'regex', pattern: '^\\d+$', ignoreCase }, '43'],
  ['json_schema', { kind: 'json_schema', schema: { type: 'object', required: ['a'] } }, '{"a":1}'],
])('%s passes', (_name, check, text) => {
  expect(checked(check, text)).toEqual({ check: check.kind, outcome: 'passed', reason: null });
});

test.each<[string, LocalCheck, string, string]>([
  ['exact', { kind: 'exact', texts: ['43'], ignoreCase }, '42', 'expected "43", got "42"'],
  [
    'exact, of long texts',
    { kind: 'exact', texts: [`${'word '.repeat(40)}end`], ignoreCase },
    `${'word '.repeat(40)}fin`,
    'differs from character 201 on: expected "…ord word word word word end", got "…ord word word word word fin"',
  ],
  ['contains', { kind: 'contains', texts: ['a', 'z'], ignoreCase }, 'abc', '"z" is not in "abc"'],
  ['not_contains', { kind: 'not_contains', texts: ['b'], ignoreCase }, 'abc', '"b" is in "abc"'],
  ['regex', { kind: 'regex', pattern: '^b', ignoreCase }, 'abc', '/^b/ does not match "abc"'],
  ['json_schema', { kind: 'json_schema', schema: {} }, 'Sure: {}', '"Sure: {}" is not JSON'],
  [
    'json_schema, inside',
    { kind: 'json_schema', schema: { properties: { a: { items: { type: 'integer' } } } } },
    '{"a":[1,"x"]}',
    'a.1 must be integer, in "{\\"a\\":[1,\\"x\\"]}"',
  ],
])('%s fails and says why', (_name, check, text, reason) => {
  expect(checked(check, text)).toEqual({ check: check.kind, outcome: 'failed', reason });
});

describe('a pattern that would take forever', () => {
  const hanging = '^(a+)+$';
  const answer = `${'a'.repeat(60)}!`;

  test.each<[string, LocalCheck, string]>([
    ['in regex', { kind: 'regex', pattern: hanging, ignoreCase }, answer],
    ['in a schema', { kind: 'json_schema', schema: { pattern: hanging } }, JSON.stringify(answer)],
  ])('%s is an error after a second, not a failure', (_where, check, text) => {
    expect(checked(check, text)).toMatchObject({
      outcome: 'error',
      reason: expect.stringContaining('takes too long') as string,
    });
  });
});

test('a schema may be of an earlier draft and use formats', () => {
  const schema = { $schema: 'http://json-schema.org/draft-07/schema#', type: 'string', format: 'date' };
  expect(checked({ kind: 'json_schema', schema }, '"2027-02-01"').outcome).toBe('passed');
  expect(checked({ kind: 'json_schema', schema }, '"tomorrow"').outcome).toBe('failed');
});

describe('tool_call', () => {
  const wanted = { kind: 'tool_call', name: 'weather', arguments: { city: 'Bergen', days: [1, 2] } } as const;
  const calling = (...toolCalls: { name: string; arguments: unknown }[]) =>
    checkAnswer(wanted, { text: 'Bergen is nice.', toolCalls }).reason;

  test('passes with further arguments, and if any of several calls matches', () => {
    const right = { name: 'weather', arguments: { unit: 'C', city: 'Bergen', days: [1, 2] } };
    expect(calling({ name: 'time', arguments: {} }, { name: 'weather', arguments: {} }, right)).toBeNull();
  });

  test.each([
    [[], 'weather was not called: the answer is "Bergen is nice."'],
    [[{ name: 'time', arguments: {} }], 'weather was not called, but time'],
    [
      [{ name: 'weather', arguments: 'no JSON' }],
      'arguments is "no JSON", expected {"city":"Bergen","days":[1,2]}',
    ],
    [[{ name: 'weather', arguments: { city: 'Oslo' } }], 'arguments.city is "Oslo", expected "Bergen"'],
    [[{ name: 'weather', arguments: { city: 'Bergen' } }], 'arguments.days is missing, expected [1,2]'],
    [
      [{ name: 'weather', arguments: { city: 'Bergen', days: [1, 2, 3] } }],
      'arguments.days is [1,2,3], expected [1,2]',
    ],
  ])('fails: %j', (calls, reason) => {
    expect(calling(...calls)).toBe(reason);
  });
});

describe('similar', () => {
  const vectors = new Map([
    ['answer', [1, 0]],
    ['same', [2, 0]],
    ['other', [0, 1]],
  ]);
  const similar = (texts: string[], answer = 'answer') =>
    checkSimilarity({ kind: 'similar', texts, atLeast: 0.8 }, answer, vectors);

  test('passes where the nearest text is near enough', () => {
    expect(similar(['other', 'same'])).toEqual({
      check: 'similar',
      outcome: 'passed',
      reason: null,
      score: 1,
    });
  });

  test('fails with the score and the nearest text', () => {
    expect(similar(['other'])).toMatchObject({
      outcome: 'failed',
      score: 0,
      reason: expect.stringContaining('0.00 similar to "other"') as string,
    });
    expect(similar(['same'], ' ')).toMatchObject({ outcome: 'failed', reason: 'the answer is empty' });
  });

  test('uses the cosine', () => {
    expect(cosine([3, 4], [4, 3])).toBeCloseTo(0.96);
    expect(cosine([0, 0], [1, 0])).toBe(0);
  });
});
