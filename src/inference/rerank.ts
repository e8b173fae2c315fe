import type { Library } from '../library/library.ts';
import type { Pool } from '../runtime/pool.ts';
import { runItems, stopSignal, type TaskContext } from './items.ts';
import type { Fallbacks } from './fallback/fallback.ts';
import type { Metered } from './metered.ts';
import { resolveFor } from './resolve.ts';
import { reportServed } from './served.ts';

export type RerankInput = {
  model: string;
  query: string;
  documents: readonly string[];
  /** Only the best results; all if absent or larger than the number of documents. */
  topN?: number;
  maxTokensPerDocument?: number;
  /** Called each time another document has its score. */
  onScored?: (scored: number) => void;
};

export type Ranked = { index: number; score: number };
export type Ranking = { results: readonly Ranked[]; promptTokens: number };

export type Rerank = ReturnType<typeof createRerank>;

type Options = { library: Library; pool: Pool; metered: Metered; fallbacks: Fallbacks };

export function createRerank({ library, pool, metered, fallbacks }: Options) {
  async function rerank(input: RerankInput, context: TaskContext): Promise<Ranking> {
    const { model, query, documents, topN = documents.length, maxTokensPerDocument, onScored } = input;
    const signal = stopSignal(context);
    const manifest = resolveFor(library, { model, task: 'rerank', attempt: context.attempt });
    using slot = await pool.slot(manifest, signal, context.batch);
    const { runner } = slot;
    reportServed(context, manifest, runner);
    // A blank document has no content to score, and a model may reject it.
    const isBlank = (text: string) => text.trim() === '';
    const read = [...documents.keys()].filter((index) => !isBlank(documents[index] ?? ''));
    const scored = documents.flatMap((text, index): Ranked[] => (isBlank(text) ? [{ index, score: 0 }] : []));
    if (read.length === 0) return { results: scored.slice(0, topN), promptTokens: 0 };
    if (!runner.rerank) throw new Error(`${manifest.id} does not rerank`);
    const items = runItems({
      metered,
      request: { task: 'rerank', model, artifact: manifest.id },
      context,
      events: runner.rerank(
        {
          query,
          documents: read.map((index) => documents[index] ?? ''),
          ...(maxTokensPerDocument !== undefined && { maxTokensPerDocument }),
        },
        signal,
      ),
      count: read.length,
    });
    let promptTokens = 0;
    for await (const item of items) {
      scored.push({ index: read[item.index] ?? item.index, score: item.result });
      promptTokens += item.promptTokens;
      onScored?.(scored.length);
    }
    return { results: scored.toSorted(bestFirst).slice(0, topN), promptTokens };
  }

  return {
    rerank: (input: RerankInput, context: TaskContext): Promise<Ranking> =>
      fallbacks.once(input.model, context, (each) => rerank(input, each)),
  };
}

/** Among equal scores, the document that came first. */
export function bestFirst(a: Ranked, b: Ranked): number {
  return b.score - a.score || a.index - b.index;
}
