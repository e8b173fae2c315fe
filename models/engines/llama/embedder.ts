import type { LlamaEmbeddingContext, LlamaModel, Token } from 'node-llama-cpp';
import { Failure } from '../../../src/errors.ts';
import type { EmbedRequest, ItemEvent, Session, TokenInput } from '../../../src/runtime/engine.ts';
import { checkLength } from '../item-limits.ts';
import type { Turns } from '../turns.ts';
import { toUnitVector } from '../vectors.ts';

export type EncoderParts = {
  model: LlamaModel;
  contextTokens: number;
  threads: number;
  signal: AbortSignal;
  turns: Turns;
  beforeItem: () => void;
};

/** Opens the context in which a text becomes a vector. */
export async function openEmbedder(parts: EncoderParts): Promise<Required<Pick<Session, 'embed'>>> {
  const { model, contextTokens, turns, beforeItem } = parts;
  const context = await model.createEmbeddingContext(contextOptions(parts));
  const read = createReader(model, context, contextTokens);

  async function* embed(
    { inputs, dimensions }: EmbedRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ItemEvent<Float32Array>> {
    const texts = inputs.map(read);
    yield { type: 'prompt', promptTokens: texts.reduce((sum, { length }) => sum + length, 0) };
    const items = texts.map(({ tokens, length }) => ({
      promptTokens: length,
      async work() {
        beforeItem();
        const { vector } = await context.getEmbeddingFor(tokens);
        return toUnitVector(vector, dimensions);
      },
    }));
    yield* turns.run(items, signal);
  }

  return { embed };
}

/** An encoder reads a text in one decode, so its batch is as long as its context, which must be longer than any text. */
export function contextOptions({ contextTokens, threads, signal }: EncoderParts) {
  return { contextSize: contextTokens + 1, batchSize: contextTokens + 1, threads, createSignal: signal };
}

function createReader(model: LlamaModel, context: LlamaEmbeddingContext, contextTokens: number) {
  const vocabulary = model.fileInfo.metadata.tokenizer?.ggml?.tokens?.length ?? Infinity;
  return (input: TokenInput, index: number) => {
    const param = `input[${index}]`;
    const tokens = typeof input === 'string' ? withStart(model, model.tokenize(input)) : (input as Token[]);
    const unknown = tokens.find((token) => token < 0 || token >= vocabulary);
    if (unknown !== undefined) {
      throw new Failure('invalid_value', `${param} has the token ${unknown}; this model has ${vocabulary}.`, {
        param,
      });
    }
    const length = context.calculateInputLength(tokens);
    checkLength({ param, tokens: length, tokensMax: contextTokens });
    return { tokens, length };
  };
}

/** The library puts no first token before a unigram vocabulary, though files that ask for one were trained with it. */
function withStart({ tokens: special }: LlamaModel, tokens: Token[]): Token[] {
  const { bos, shouldPrependBosToken } = special;
  return bos === null || !shouldPrependBosToken || tokens[0] === bos ? tokens : [bos, ...tokens];
}
