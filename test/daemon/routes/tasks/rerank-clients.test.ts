import { CohereClient, CohereClientV2 } from 'cohere-ai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDaemonWith, type ChatDaemon } from '../../../helpers/daemon/chat.ts';
import { wordRanker } from '../../../helpers/models/text-models.ts';

const query = 'what is the capital of france';
const documents = ['red fire', 'paris is the capital of france', ''];
const model = 'svc-rerank-v1';

let daemon: ChatDaemon;

beforeAll(async () => {
  daemon = await openDaemonWith({ ranker: await wordRanker() });
  daemon.services.library.bind(model, 'ranker');
});
afterAll(() => daemon.close());

const options = () => ({ token: daemon.key, baseUrl: `http://127.0.0.1:${daemon.port}`, maxRetries: 0 });
const post = (path: string, body: object) =>
  daemon.call('POST', path, { token: daemon.key, body: { query, ...body } });

describe("Cohere's official client", () => {
  test('in its second version sorts documents', async () => {
    const client = new CohereClientV2(options());
    const { results, meta } = await client.rerank({
      model,
      query,
      documents,
      topN: 2,
      maxTokensPerDoc: 4096,
    });
    expect(results.map(({ index }) => index)).toEqual([1, 0]);
    expect(meta?.billedUnits?.searchUnits).toBe(1);
  });

  test('in its first version gets its documents back', async () => {
    const client = new CohereClient(options());
    const objects: Record<string, string>[] = [
      { text: 'red fire' },
      { text: 'paris is the capital of france', source: 'atlas' },
    ];
    const ranked = await client.rerank({ model, query, documents: objects, returnDocuments: true });
    expect(ranked.results.map(({ document }) => document)).toEqual([
      { text: 'paris is the capital of france', source: 'atlas' },
      { text: 'red fire' },
    ]);
    const texts = await client.rerank({ model, query, documents, topN: 1, returnDocuments: true });
    expect(texts.results[0]?.document).toEqual({ text: documents[1] });
  });

  test('has documents ranked by the fields it names', async () => {
    const client = new CohereClient(options());
    const pages = [
      { title: 'fire', body: 'red' },
      { title: 'france', body: 'paris is the capital of france' },
    ];
    const { results } = await client.rerank({
      model,
      query,
      documents: pages,
      rankFields: ['title', 'body'],
    });
    expect(results[0]?.index).toBe(1);
  });

  test('is told what is wrong', async () => {
    const client = new CohereClientV2(options());
    await expect(client.rerank({ model: 'nobody', query, documents })).rejects.toThrow('nobody');
  });
});

describe('other paths', () => {
  test.each(['/rerank', '/reranking', '/v1/reranking', '/v2/rerank'])(
    '%s sorts documents without the name of a model',
    async (path) => {
      const reply = await post(path, { documents, top_n: 1, return_documents: true });
      expect([reply.status, reply.json()]).toMatchObject([
        200,
        { model, results: [{ index: 1, document: { text: documents[1] } }] },
      ]);
    },
  );

  test('with texts the answer is a list, as text-embeddings-inference gives it', async () => {
    const reply = await post('/rerank', { texts: documents, return_text: true, truncate: true });
    expect(reply.json()).toMatchObject([
      { index: 1, score: expect.any(Number) as number, text: documents[1] },
      { index: 0 },
      { index: 2, score: 0, text: '' },
    ]);
    expect(reply.headers['x-askd-ignored']).toBe('truncate');
  });

  test.each([
    [{}, 'missing_required_parameter', 'documents'],
    [{ texts: ['a'], documents: ['a'] }, 'invalid_value', 'texts'],
    [{ texts: ['a'], raw_scores: true }, 'unsupported_parameter', 'raw_scores'],
  ])('%j is refused', async (body, code, param) => {
    const reply = await post('/rerank', body);
    expect([reply.status, reply.json()]).toMatchObject([400, { error: { code, param } }]);
  });
});
