import type { Api } from './api.ts';
import { createBm25 } from './bm25.ts';
import type { Line } from './lines.ts';
import { share, type Row } from './table.ts';

/** Accuracy at 1: how often the document that answers is ranked first. */
export async function evaluateRerank(api: Api, lines: readonly Line[]): Promise<Row[]> {
  if (!(await api.isReady('svc-rerank-v1'))) return [];
  const asked = lines.filter(({ skill }) => skill === 'rerank');
  const found: { byModel: boolean; byWords: boolean }[] = [];
  for (const { input = '', documents = [], expect } of asked) {
    const [first] = await api.rerank(input, documents);
    found.push({ byModel: first === expect, byWords: createBm25(documents)(input)[0] === expect });
  }
  return [
    {
      model: 'rerank',
      skill: 'rerank',
      measure: `first of ${asked[0]?.documents?.length ?? 0}`,
      count: found.length,
      score: share(found, ({ byModel }) => byModel),
      baseline: share(found, ({ byWords }) => byWords),
      baselineName: 'BM25',
    },
  ];
}
