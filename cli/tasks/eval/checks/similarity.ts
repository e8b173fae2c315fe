import type { Check, CheckResult } from './check.ts';
import { quote } from './quote.ts';

type Vectors = ReadonlyMap<string, readonly number[]>;

/** Compares the meaning of an answer with that of the nearest expected text. */
export function checkSimilarity(
  { texts, atLeast }: Check & { kind: 'similar' },
  answer: string,
  vectors: Vectors,
): CheckResult {
  const actual = vectors.get(answer);
  if (answer.trim() === '' || actual === undefined)
    return { check: 'similar', outcome: 'failed', reason: 'the answer is empty', score: 0 };
  const scored = texts.map((text) => ({ text, score: cosine(actual, vectors.get(text) ?? []) }));
  const best = scored.reduce((one, other) => (other.score > one.score ? other : one));
  const isClose = best.score >= atLeast;
  const reason = `${best.score.toFixed(2)} similar to ${quote(best.text)}, ${atLeast} wanted: ${quote(answer)}`;
  return {
    check: 'similar',
    outcome: isClose ? 'passed' : 'failed',
    reason: isClose ? null : reason,
    score: Math.max(0, Math.min(1, best.score)),
  };
}

export function cosine(one: readonly number[], other: readonly number[]): number {
  const dot = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
  const size = Math.sqrt(dot(one, one) * dot(other, other));
  return size === 0 ? 0 : dot(one, other) / size;
}
