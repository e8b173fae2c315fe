import type { Api } from './api.ts';
import { createBm25, rank } from './bm25.ts';
import type { Line } from './lines.ts';
import { share, type Row } from './table.ts';

const PLACES = 5;

/** Recall at 5 over all documents. */
export async function evaluateRetrieval(api: Api, lines: readonly Line[]): Promise<Row[]> {
  if (!(await api.isReady('svc-embed-v1'))) return [];
  const documents = lines.filter(({ skill }) => skill === 'document').map(({ input = '' }) => input);
  const asked = lines.filter(({ check }) => check === 'recall@5');
  const bm25 = createBm25(documents);
  const vectors = await api.embed(documents);
  const queries = await api.embed(asked.map(({ input = '' }) => input));
  const found = asked.map(({ skill, input = '', expect }, index) => {
    const places = rank(vectors.map((vector) => product(vector, queries[index] ?? [])));
    const isAmong = (order: readonly number[]) => order.slice(0, PLACES).includes(expect as number);
    return { skill, byModel: isAmong(places), byWords: isAmong(bm25(input)) };
  });
  const skills = [...new Set(found.map(({ skill }) => skill))];
  return skills.map((skill) => {
    const own = found.filter((each) => each.skill === skill);
    return {
      model: 'embed',
      skill,
      measure: `recall@${PLACES} of ${documents.length}`,
      count: own.length,
      score: share(own, ({ byModel }) => byModel),
      baseline: share(own, ({ byWords }) => byWords),
      baselineName: 'BM25',
    };
  });
}

function product(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}
