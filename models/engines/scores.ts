import type { ItemEvent, RerankRequest, Session } from '../../src/runtime/engine.ts';
import { chunkTokens } from './chunks.ts';
import { checkLength } from './item-limits.ts';
import type { FairQueue } from './fair-queue.ts';

/** A cross-encoder, which reads a query and a document together. */
export type Ranker = {
  /** The longest pair, special tokens included. */
  contextTokens: number;
  tokenize(text: string): number[];
  /** Tokens of a pair besides those of its document. */
  frameOf(query: readonly number[]): number;
  /** From 0 to 1; cannot be interrupted. */
  scoreOf(query: readonly number[], document: readonly number[]): Promise<number>;
};

/** The methods of every engine with a cross-encoder. */
export function createScoreMethods(ranker: Ranker, turns: FairQueue): Required<Pick<Session, 'rerank'>> {
  const { contextTokens } = ranker;

  async function* rerank(
    { query, documents, maxTokensPerDocument: most }: RerankRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ItemEvent<number>> {
    const question = ranker.tokenize(query);
    const frame = ranker.frameOf(question);
    // Half of the context is reserved for the document.
    checkLength({ param: 'query', tokens: frame, tokensMax: Math.floor(contextTokens / 2) });
    const texts = documents.map((document) =>
      chunkTokens(ranker.tokenize(document).slice(0, most), contextTokens - frame),
    );
    const lengths = texts.map((chunks) => chunks.reduce((sum, chunk) => sum + chunk.length + frame, 0));
    yield { type: 'prompt', promptTokens: lengths.reduce((sum, length) => sum + length, 0) };
    const items = texts.map((chunks, index) => ({
      promptTokens: lengths[index] ?? 0,
      work: () => scoreOfBest(question, chunks),
    }));
    yield* turns.run(items, signal);
  }

  /** A long document scores as its best chunk. */
  async function scoreOfBest(question: readonly number[], chunks: readonly (readonly number[])[]) {
    let best = 0;
    for (const chunk of chunks) best = Math.max(best, await ranker.scoreOf(question, chunk));
    return best;
  }

  return { rerank };
}
