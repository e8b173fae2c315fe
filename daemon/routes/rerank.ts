import { createRerank, type RerankRequest, type RerankResult } from '../../src/api/rerank.ts';
import type { Ranking, RerankInput } from '../../src/inference/rerank.ts';
import type { Services } from '../compose.ts';
import type { Mount } from '../mount.ts';

/** What clients of other services read off the number of documents: a hundred of them are one search. */
const DOCUMENTS_PER_SEARCH = 100;

export function mountRerank(mount: Mount, { rerank, stopping }: Services): void {
  mount(createRerank, async ({ body, principal, requestId, client }) => {
    const { accountId, keyId } = principal;
    const context = { requestId, accountId, keyId, client, daemon: stopping.signal };
    const input = toRerankInput(body);
    const ranking = await rerank.rerank(input, context);
    return toResult({ body, requestId, documents: input.documents, ranking });
  });
}

function toRerankInput({ model, query, documents, top_n: topN }: RerankRequest): RerankInput {
  const texts = documents.map((document) => (typeof document === 'string' ? document : document.text));
  return { model, query, documents: texts, ...(topN !== undefined && { topN }) };
}

type Answered = { body: RerankRequest; requestId: string; documents: readonly string[]; ranking: Ranking };

function toResult({ body, requestId, documents, ranking }: Answered): RerankResult {
  const { results, promptTokens } = ranking;
  return {
    id: requestId.replace(/^req_/, 'rerank-'),
    model: body.model,
    results: results.map(({ index, score }) => ({
      index,
      relevance_score: score,
      ...(body.return_documents && { document: documents[index] ?? '' }),
    })),
    usage: { prompt_tokens: promptTokens, total_tokens: promptTokens },
    meta: { billed_units: { search_units: Math.ceil(documents.length / DOCUMENTS_PER_SEARCH) } },
  };
}
