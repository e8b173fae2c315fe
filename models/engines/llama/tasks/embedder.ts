import type { LlamaModel, Token } from 'node-llama-cpp';
import type { Encoder } from '../../vectors.ts';
import { withoutSampler } from '../loading/without-sampler.ts';

export type EncoderParts = {
  model: LlamaModel;
  contextTokens: number;
  threads: number;
  signal: AbortSignal;
  beforeItem: () => void;
};

/** Opens the context that turns a text into a vector. */
export async function openEmbedder(parts: EncoderParts): Promise<Encoder> {
  const { model, contextTokens, beforeItem } = parts;
  const context = withoutSampler(await model.createEmbeddingContext(contextOptions(parts)));
  return {
    contextTokens,
    vocabulary: model.fileInfo.metadata.tokenizer?.ggml?.tokens?.length ?? Infinity,
    tokenize: (text) => withStart(model, model.tokenize(text)),
    lengthOf: (tokens) => context.calculateInputLength(tokens as Token[]),
    // The library returns only the vector of a context's first sequence.
    hasExactBatches: false,
    async vectorsOf(texts) {
      const vectors: (readonly number[])[] = [];
      for (const tokens of texts) {
        beforeItem();
        vectors.push((await context.getEmbeddingFor(withStart(model, tokens as Token[]))).vector);
      }
      return vectors;
    },
  };
}

/**
 * An encoder evaluates a text in one decode, so its batch is as long as its context, which must be longer than any
 * text.
 */
export function contextOptions({ contextTokens, threads, signal }: EncoderParts) {
  return { contextSize: contextTokens + 1, batchSize: contextTokens + 1, threads, createSignal: signal };
}

/** The library adds no BOS token for unigram vocabularies, although files that ask for one were trained with it. */
function withStart({ tokens: special }: LlamaModel, tokens: readonly Token[]): Token[] {
  const { bos, shouldPrependBosToken } = special;
  return bos === null || !shouldPrependBosToken || tokens[0] === bos ? [...tokens] : [bos, ...tokens];
}
