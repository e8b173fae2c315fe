import type { LlamaModel, Token } from 'node-llama-cpp';
import type { Encoder } from '../../vectors.ts';
import { withoutSampler } from '../loading/without-sampler.ts';
import { createTextBatches, whyAlone } from './text-batches.ts';

export type EncoderParts = {
  model: LlamaModel;
  contextTokens: number;
  threads: number;
  signal: AbortSignal;
  beforeItem: () => void;
};

export type EmbedderParts = EncoderParts & {
  /** Whether a text must get the same bits whatever else is embedded. */
  isExact: boolean;
};

export type Embedder = Encoder & {
  /** If texts are evaluated one at a time although they need not be. */
  whyAlone?: string | undefined;
};

/** Opens the context that turns a text into a vector. */
export async function openEmbedder({ isExact, ...parts }: EmbedderParts): Promise<Embedder> {
  const { model, contextTokens, threads, beforeItem } = parts;
  const context = withoutSampler(await model.createEmbeddingContext(contextOptions(parts)));
  const embedder = {
    contextTokens,
    vocabulary: model.fileInfo.metadata.tokenizer?.ggml?.tokens?.length ?? Infinity,
    tokenize: (text: string) => withStart(model, model.tokenize(text)),
    lengthOf: (tokens: readonly number[]) => context.calculateInputLength(tokens as Token[]),
    async vectorsOf(texts: readonly (readonly number[])[]) {
      const vectors: (readonly number[])[] = [];
      for (const tokens of texts) {
        beforeItem();
        vectors.push((await context.getEmbeddingFor(withStart(model, tokens as Token[]))).vector);
      }
      return vectors;
    },
  };
  if (isExact) return embedder;
  const reason = whyAlone(context);
  if (reason !== undefined) return { ...embedder, whyAlone: reason };
  const { batching, vectorsOf } = createTextBatches(context, threads);
  return {
    ...embedder,
    batching,
    vectorsOf(texts) {
      beforeItem();
      return vectorsOf(texts.map((tokens) => withStart(model, tokens as Token[])));
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
