import { stems } from './words.ts';

const K1 = 1.2;
const B = 0.75;
/** The usual constant of reciprocal rank fusion. */
const RRF_K = 60;

/** The texts that share words with the query, best first, by BM25. */
export function rankByWords(query: string, texts: readonly string[]): { index: number; score: number }[] {
  const wanted = [...new Set(stems(query))];
  const counted = texts.map(countStems);
  const averageLength = counted.reduce((total, { length }) => total + length, 0) / Math.max(1, texts.length);
  const weights = wanted.map((word) =>
    inverseFrequency(counted.filter(({ counts }) => counts.has(word)).length, texts.length),
  );
  return counted
    .map(({ counts, length }, index) => {
      const score = wanted.reduce((total, word, at) => {
        const count = counts.get(word) ?? 0;
        const norm = count + K1 * (1 - B + (B * length) / Math.max(1, averageLength));
        return total + (count === 0 ? 0 : ((weights[at] ?? 0) * count * (K1 + 1)) / norm);
      }, 0);
      return { index, score };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.index - b.index);
}

/** Merges several rankings of the same items by reciprocal rank fusion. */
export function mergeRanks<Key>(orders: readonly (readonly Key[])[]): Key[] {
  return scoreRanks(orders.map((order) => ({ order, weight: 1 }))).map(({ key }) => key);
}

/** The same with scores; an item that is first in every ranking gets 1. */
export function scoreRanks<Key>(ranked: readonly { order: readonly Key[]; weight: number }[]) {
  const scores = new Map<Key, number>();
  const whole = ranked.reduce((sum, { order, weight }) => sum + (order.length > 0 ? weight : 0), 0);
  for (const { order, weight } of ranked) {
    const share = (weight * (RRF_K + 1)) / Math.max(whole, Number.MIN_VALUE);
    order.forEach((key, place) => scores.set(key, (scores.get(key) ?? 0) + share / (RRF_K + place + 1)));
  }
  return [...scores].map(([key, score]) => ({ key, score })).sort((a, b) => b.score - a.score);
}

/** Cosine similarity of two unit vectors. */
export function similarity(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] as number) * (b[at] as number);
  return sum;
}

/** Inverse document frequency. */
export function inverseFrequency(count: number, all: number): number {
  return Math.log(1 + (all - count + 0.5) / (count + 0.5));
}

function countStems(text: string) {
  const counts = new Map<string, number>();
  const all = stems(text);
  for (const word of all) counts.set(word, (counts.get(word) ?? 0) + 1);
  return { counts, length: all.length };
}
