import { CohereClientV2 } from 'cohere-ai';
import { apiKey, expect, feature, rootURL } from './probe.mjs';

const client = new CohereClientV2({ token: apiKey, environment: rootURL, maxRetries: 0 });
const documents = ['blue sky', 'the cat sat on the mat'];

await feature('rerank', async () => {
  const { results } = await client.rerank({ model: 'ranker', query: 'cat sat mat', documents, topN: 1 });
  expect(results[0].index, 1);
});
await feature('rerank with bounds of documents', async () => {
  const { results } = await client.rerank({
    model: 'ranker',
    query: 'cat',
    documents: [...documents, ''],
    maxTokensPerDoc: 100,
  });
  expect(results.length, 3);
});
