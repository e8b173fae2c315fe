import type { LlamaRankingContext, Token } from 'node-llama-cpp';
import type { ItemEvent, RerankRequest, Session } from '../../../src/runtime/engine.ts';
import { checkLength } from '../item-limits.ts';
import { chunkTokens } from '../chunks.ts';
import { contextOptions, type EncoderParts } from './embedder.ts';

/** Opens the context in which a query and a document become a score. */
export async function openRanker(parts: EncoderParts): Promise<Required<Pick<Session, 'rerank'>>> {
  const { model, contextTokens, turns, beforeItem } = parts;
  const context = await model.createRankingContext(contextOptions(parts));
  // With the space that the vocabulary puts before a text: the model was trained on both texts cut that way.
  const tokenize = (text: string) => model.tokenize(text);

  async function* rerank(
    { query, documents }: RerankRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ItemEvent<number>> {
    const question = tokenize(query);
    const frame = context.calculateInputLength(question, []);
    // Half of what a chunk holds must be left for the document.
    checkLength({ param: 'query', tokens: frame, tokensMax: Math.floor(contextTokens / 2) });
    const pieces = documents.map((document) => chunkTokens(tokenize(document), contextTokens - frame));
    const lengths = pieces.map((chunks) => chunks.reduce((sum, chunk) => sum + chunk.length + frame, 0));
    yield { type: 'prompt', promptTokens: lengths.reduce((sum, length) => sum + length, 0) };
    const items = pieces.map((chunks, index) => ({
      promptTokens: lengths[index] ?? 0,
      work: () => bestChunk(context, question, chunks),
    }));
    yield* turns.run(items, signal);
  }

  /** A long document is as good as its best part. */
  async function bestChunk(
    ranking: LlamaRankingContext,
    question: readonly Token[],
    chunks: readonly (readonly Token[])[],
  ): Promise<number> {
    let best = 0;
    for (const chunk of chunks) {
      beforeItem();
      best = Math.max(best, await ranking.rank([...question], [...chunk]));
    }
    return best;
  }

  return { rerank };
}
