import type { LlamaContextSequence, LlamaEmbeddingContext, LlamaRankingContext } from 'node-llama-cpp';
import { decode } from '../sampling/native-sampler.ts';

/** What node-llama-cpp reads texts with and does not show in its types. Its version is pinned, and tests run on this. */
type Inside = { _sequence: LlamaContextSequence };

/**
 * Lets a context only read. By itself the library makes a sampler for each text: a list as long as the vocabulary, 3 MB
 * where that has many languages, which nobody draws from and which stays in memory until it is collected.
 */
export function withoutSampler<Context extends LlamaEmbeddingContext | LlamaRankingContext>(
  context: Context,
): Context {
  const { _sequence: sequence } = context as unknown as Inside;
  sequence.evaluate = async function* (tokens) {
    const last = tokens.at(-1);
    if (last === undefined) return;
    await decode(sequence, tokens, tokens.length - 1, () => Promise.resolve(false));
    // The library waits for a token and does not look at it.
    yield last;
  };
  return context;
}
