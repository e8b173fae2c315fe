import { describe, expect, test } from 'vitest';
import { outcomeOf, toCaseResult, toModelResult, differenceOf } from '../../../../cli/tasks/eval/results.ts';
import { compareRuns, readRun } from '../../../../cli/tasks/eval/run-document.ts';
import { modelResult, sampleOf } from '../../../helpers/terminal/eval-results.ts';

test('a failed check is a failure whatever the others did, and otherwise a broken check is an error', () => {
  const checks = (...outcomes: ('passed' | 'failed' | 'error')[]) =>
    outcomes.map((outcome) => ({ check: 'exact' as const, outcome, reason: null }));
  expect(outcomeOf({ error: null, checks: checks('passed', 'error', 'failed') })).toBe('failed');
  expect(outcomeOf({ error: null, checks: checks('passed', 'error') })).toBe('error');
  expect(outcomeOf({ error: null, checks: checks('passed') })).toBe('passed');
  expect(outcomeOf({ error: { code: 'queue_full', message: 'x' }, checks: [] })).toBe('error');
});

test('errors count in no rate', () => {
  const result = toCaseResult('a', [sampleOf('passed'), sampleOf('error'), sampleOf('failed')]);
  expect(result).toMatchObject({ passed: 1, failed: 1, errors: 1 });
  expect(toModelResult('m', [result])).toMatchObject({ rate: 0.5, errors: 1 });
  expect(toModelResult('m', [toCaseResult('a', [sampleOf('error')])])).toMatchObject({
    rate: null,
    interval: null,
  });
});

test('a model has its costs, and the medians of its speeds', () => {
  const samples = [10, 30, 20].map((ms) => ({ ...sampleOf('passed'), first_token_ms: ms, cost: 0.5 }));
  expect(toModelResult('m', [toCaseResult('a', samples)])).toMatchObject({ first_token_ms: 20, cost: 1.5 });
  expect(toModelResult('m', [toCaseResult('a', [sampleOf('passed')])]).cost).toBeNull();
});

describe('the difference of two models', () => {
  const first = modelResult('one', { a: 'ppff', b: 'ffff', c: 'pppp', e: 'eeee' });
  const second = modelResult('two', { a: 'pppf', b: 'ffff', c: 'ffff', d: 'pppp', e: 'pppp' });

  test('counts the cases on which both have a verdict', () => {
    const difference = differenceOf(first, second);
    expect(difference).toMatchObject({ cases: 3, better: ['a'], worse: ['c'], significant: false });
    expect(difference.difference).toBeCloseTo((0.25 + 0 - 1) / 3);
  });

  test('is significant where chance would rarely bring it about', () => {
    const cases = Object.fromEntries('abcdefgh'.split('').map((name) => [name, 'f']));
    const better = Object.fromEntries('abcdefgh'.split('').map((name) => [name, 'p']));
    expect(differenceOf(modelResult('one', cases), modelResult('two', better))).toMatchObject({
      p: 2 / 2 ** 8,
      significant: true,
      difference: 1,
    });
  });
});

describe('an earlier run', () => {
  const run = (...models: ReturnType<typeof modelResult>[]) =>
    readRun(JSON.stringify({ schema: 'eval/1', models }), 'run.json');

  test('is compared by model', () => {
    const earlier = run(modelResult('one', { a: 'f' }), modelResult('two', { a: 'p' }));
    const now = [modelResult('two', { a: 'p' }), modelResult('three', { a: 'p' })];
    expect(compareRuns(earlier, now)).toMatchObject([{ first: 'two', second: 'two', difference: 0 }]);
  });

  test('with one other model is compared with one model', () => {
    expect(compareRuns(run(modelResult('one', { a: 'f' })), [modelResult('two', { a: 'p' })])).toMatchObject([
      { first: 'one', second: 'two', difference: 1 },
    ]);
  });

  test.each(['', '{}', '[]', '{"schema":"eval/1"}'])('is rejected if it is not a run: %j', (text) => {
    expect(() => readRun(text, 'run.json')).toThrow('run.json is not a run of askd eval');
  });
});
