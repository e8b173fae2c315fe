import { describe, expect, test } from 'vitest';
import { compareTexts } from '../../../../src/check/cards/greedy-texts.ts';
import type { Logprob } from '../../../../src/runtime/engine.ts';

/** A token that was chosen, and its alternatives. */
function taken(token: string, probabilities: Readonly<Record<string, number>>): Logprob {
  const top = Object.entries(probabilities).map(([text, probability]) => ({
    token: text,
    logprob: Math.log(probability),
    bytes: [...Buffer.from(text)],
  }));
  const own = top.find((each) => each.token === token);
  if (!own) throw new Error(`${token} has no probability`);
  return { ...own, top };
}

const the = taken('the', { the: 0.9, a: 0.1 });
const harbour = taken('harbour', { harbour: 0.5, port: 0.49 });

describe("a card's output is compared with the processor's", () => {
  test('the same tokens with the same probabilities are correct', () => {
    const found = compareTexts([[the, harbour], [the]], [[the, harbour], [the]]);
    expect(found).toEqual({ status: 'passed', tokens: 3, same: 3, difference: 0 });
  });

  test('two tokens that are about equally probable may change places, and what follows is not compared', () => {
    const other = taken('port', { harbour: 0.49, port: 0.5 });
    const after = taken('x', { x: 1 });
    const found = compareTexts([[the, harbour, the]], [[the, other, after]]);
    expect(found).toMatchObject({ status: 'passed', tokens: 3, same: 1 });
    expect(found.difference).toBeCloseTo(Math.log(0.5 / 0.49));
  });

  test('a token that the processor would not choose is a failure', () => {
    const sure = taken('harbour', { harbour: 0.9, port: 0.05 });
    const other = taken('port', { harbour: 0.88, port: 0.07 });
    expect(compareTexts([[sure]], [[other]]).status).toBe('failed');
    const unknown = taken('zzz', { zzz: 1 });
    expect(compareTexts([[the]], [[unknown]]).status).toBe('failed');
  });

  test('the same tokens with other probabilities are weak, or a failure where they are far off', () => {
    expect(compareTexts([[the]], [[taken('the', { the: 0.8, a: 0.1 })]]).status).toBe('weak');
    expect(compareTexts([[the]], [[taken('the', { the: 0.3, a: 0.1 })]]).status).toBe('failed');
  });

  test('improbable tokens may differ', () => {
    const sure = taken('the', { the: 0.99, a: 0.001 });
    expect(compareTexts([[sure]], [[taken('the', { the: 0.99, a: 0.004 })]]).status).toBe('passed');
  });

  test('an answer that ends early, or a value that is not a number, is a failure', () => {
    expect(compareTexts([[the, harbour]], [[the]]).status).toBe('failed');
    expect(compareTexts([[the]], [[taken('the', { the: Number.NaN, a: Number.NaN })]]).status).toBe('failed');
  });
});
