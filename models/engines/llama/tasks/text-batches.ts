import type { LlamaContext, LlamaEmbeddingContext, LlamaModel, Token } from 'node-llama-cpp';
import { runsAlone } from '../loading/limits.ts';
import { nativeContextOf, setThreads } from '../scheduling/native-context.ts';

/** An encoder compares each token with all others of the batch, so longer batches are slower again. */
const BATCH_TOKENS = 256;
/** llama.cpp's limit. */
const SEQUENCES_MAX = 256;
/** Of llama.cpp, those that make one vector of a text: mean, first token, last token. */
const POOLINGS: readonly (number | undefined)[] = [1, 2, 3];

/** Why a context evaluates texts one at a time; undefined if it can evaluate several together. */
export function whyAlone(context: LlamaEmbeddingContext): string | undefined {
  const native = nativeContextOf(insideOf(context)._llamaContext);
  if (!('getSequenceEmbedding' in native))
    return 'evaluating several together takes an engine compiled by askd engines build';
  return isPooled(context.model) ? undefined : 'this model cannot evaluate texts together';
}

function isPooled({ fileInfo, fileInsights }: LlamaModel): boolean {
  const { general } = fileInfo.metadata;
  const hasState = fileInsights.isRecurrent || fileInsights.isHybrid || runsAlone(general.architecture);
  return !hasState && POOLINGS.includes(fileInfo.architectureMetadata.pooling_type);
}

/** Evaluates several texts in one decode, each in a sequence of its own. The context is used for nothing else. */
export function createTextBatches(embedding: LlamaEmbeddingContext, threads: number) {
  const inside = insideOf(embedding);
  const context = inside._llamaContext;
  const native = nativeContextOf(context);

  async function vectorsOf(inputs: readonly (readonly Token[])[]): Promise<readonly ArrayLike<number>[]> {
    const texts = inputs.map(withSpecialTokens);
    setThreads(context, threads);
    native.initBatch(texts.reduce((sum, { length }) => sum + length, 0));
    try {
      for (const [sequence, tokens] of texts.entries()) {
        native.addToBatch(sequence, 0, Uint32Array.from(tokens), Uint32Array.of(tokens.length - 1));
      }
      await native.decodeBatch();
      return texts.map(({ length }, sequence) => native.getSequenceEmbedding?.(length, 0, sequence) ?? []);
    } finally {
      for (const sequence of texts.keys()) native.disposeSequence(sequence);
    }
  }

  function withSpecialTokens(tokens: readonly Token[]): Token[] {
    const text = [...tokens];
    inside._prepareInput(text);
    return text;
  }

  const tokensMax = Math.min(BATCH_TOKENS, context.contextSize - 1);
  return { batching: { tokensMax, textsMax: SEQUENCES_MAX, paddingMax: undefined }, vectorsOf };
}

/** Missing from node-llama-cpp's types. Its version is pinned, and a test checks this. */
type Inside = { _llamaContext: LlamaContext; _prepareInput(tokens: Token[]): void };

function insideOf(embedding: LlamaEmbeddingContext): Inside {
  return embedding as unknown as Inside;
}
