import type { LlamaContextSequence, LlamaEmbeddingContext, LlamaRankingContext } from 'node-llama-cpp';
import { decode } from '../sampling/native-sampler.ts';

/**
 * Used by node-llama-cpp to evaluate texts, and missing from its types. Its version is pinned, and a test checks
 * this.
 */
type Inside = { _sequence: LlamaContextSequence };

/**
 * Makes a context evaluate without a sampler. By default, the library creates one per text: a list as long as the
 * vocabulary, 3 MB for multilingual ones. Nothing samples from it, and it stays in memory until it is
 * garbage-collected.
 */
export function withoutSampler<Context extends LlamaEmbeddingContext | LlamaRankingContext>(
  context: Context,
): Context {
  const { _sequence: sequence } = context as unknown as Inside;
  sequence.evaluate = async function* (tokens) {
    const last = tokens.at(-1);
    if (last === undefined) return;
    await decode(sequence, tokens, tokens.length - 1, () => Promise.resolve(false));
    // The library waits for a token and ignores it.
    yield last;
  };
  return context;
}
