import type { Token } from 'node-llama-cpp';
import type { Sampling } from '../../../../src/runtime/engine.ts';

export type Likelihood = { token: Token; logprob: number };

/**
 * In llama.cpp's order: typical, top-p, min-p, then the temperature. But candidates are sampled in order of token id,
 * since the order of two nearly equal logits depends on what else is evaluated in the same batch.
 */
export function sampleToken(
  candidates: readonly Likelihood[],
  sampling: Sampling,
  random: () => number,
): Likelihood {
  const [first] = candidates;
  if (!first) throw new Error('The model gave no likelihoods');
  if (sampling.temperature === 0) return first;
  const { topP, minP = 0, typicalP = 1, temperature } = sampling;
  const likely = nucleus(typical(candidates, typicalP), topP).filter(
    ({ logprob }) => logprob >= first.logprob + Math.log(minP),
  );
  const within = likely.length > 0 ? likely.sort((a, b) => a.token - b.token) : [first];
  const weights = within.map(({ logprob }) => Math.exp((logprob - first.logprob) / temperature));
  let left = random() * weights.reduce((sum, weight) => sum + weight, 0);
  const place = weights.findIndex((weight) => (left -= weight) < 0);
  return within[place] ?? within.at(-1) ?? first;
}

/** Top-p: the most likely tokens that together make up this share. */
function nucleus(candidates: readonly Likelihood[], share: number): Likelihood[] {
  const all = totalOf(candidates);
  let sum = 0;
  return candidates.filter(({ logprob }) => {
    const isWithin = sum < share;
    sum += Math.exp(logprob) / all;
    return isWithin;
  });
}

/**
 * Locally typical sampling: the tokens whose surprise is closest to the expected one, until they make up this share.
 */
function typical(candidates: readonly Likelihood[], share: number): readonly Likelihood[] {
  if (share >= 1) return candidates;
  const all = totalOf(candidates);
  const scored = candidates.map((candidate) => {
    const probability = Math.exp(candidate.logprob) / all;
    return { candidate, probability, surprise: -Math.log(probability) };
  });
  const expected = scored.reduce(
    (sum, { probability, surprise }) => (probability > 0 ? sum + probability * surprise : sum),
    0,
  );
  const distance = ({ surprise }: { surprise: number }) => Math.abs(surprise - expected);
  const kept = new Set<Token>();
  let sum = 0;
  for (const { candidate, probability } of scored.toSorted((a, b) => distance(a) - distance(b))) {
    kept.add(candidate.token);
    sum += probability;
    if (sum > share) break;
  }
  return candidates.filter(({ token }) => kept.has(token));
}

function totalOf(candidates: readonly Likelihood[]): number {
  return candidates.reduce((sum, { logprob }) => sum + Math.exp(logprob), 0);
}

/** Pseudo-random numbers from 0 to 1, the same for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
