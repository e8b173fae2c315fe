import type { LlamaModel, Token } from 'node-llama-cpp';
import type { Encoder } from '../vectors.ts';
import { openLanes, type EncoderParts } from './lanes.ts';

/** Opens the contexts in which a text becomes a vector. */
export async function openEmbedder(parts: EncoderParts): Promise<Encoder> {
  const { model, contextTokens, beforeItem } = parts;
  const { whole, contextOf } = await openLanes(parts, (options) => model.createEmbeddingContext(options));
  return {
    contextTokens,
    vocabulary: model.fileInfo.metadata.tokenizer?.ggml?.tokens?.length ?? Infinity,
    tokenize: (text) => withStart(model, model.tokenize(text)),
    lengthOf: (tokens) => whole.calculateInputLength(tokens as Token[]),
    async vectorOf(tokens, lane) {
      beforeItem();
      const context = contextOf(lane);
      return (await context.getEmbeddingFor(withStart(model, tokens as Token[]))).vector;
    },
  };
}

/** The library puts no first token before a unigram vocabulary, though files that ask for one were trained with it. */
function withStart({ tokens: special }: LlamaModel, tokens: readonly Token[]): Token[] {
  const { bos, shouldPrependBosToken } = special;
  return bos === null || !shouldPrependBosToken || tokens[0] === bos ? [...tokens] : [bos, ...tokens];
}
