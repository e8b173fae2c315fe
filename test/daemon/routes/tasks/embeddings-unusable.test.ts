import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDaemonWith, type ChatDaemon } from '../../../helpers/daemon/chat.ts';
import { scriptedServer, sendJson } from '../../../helpers/servers/scripted-server.ts';
import { onnxEmbedder } from '../../../helpers/models/text-models.ts';
import { startDaemon } from '../../../helpers/daemon/daemon.ts';

describe('an embedder whose unknown words are zeros', () => {
  let daemon: ChatDaemon;
  const post = (path: string, body: Record<string, unknown>) =>
    daemon.call('POST', path, { token: daemon.key, body: { model: 'embedder', ...body } });
  const balance = () => daemon.services.wallet.balance('acct_local').balance;

  beforeAll(async () => {
    daemon = await openDaemonWith({ embedder: await onnxEmbedder() });
  });
  afterAll(() => daemon.close());

  test.each([
    ['a text of unknown words', 'zzz', 'input[0] has', 'input[0]'],
    ['one text of a list', ['a cat', 'zzz'], 'input[1] has', 'input[1]'],
    ['several texts of a list', ['zzz', 'a cat', 'qqq'], 'input[0] and input[2] have', 'input[0]'],
    ['tokens that frame a text and are none of it', [0, 2], 'input[0] has', 'input[0]'],
    ['very many texts', Array<string>(13).fill('zzz'), 'input[9] and 3 more have', 'input[0]'],
  ])('refuses %s and says which input it is', async (_, input, subject, param) => {
    const reply = await post('/v1/embeddings', { input });
    expect([reply.status, reply.json()]).toMatchObject([
      400,
      { error: { code: 'invalid_value', type: 'invalid_request_error', param } },
    ]);
    expect(reply.text).toContain(`${subject} nothing that`);
  });

  test('charges nothing for the refusal, however much was evaluated', async () => {
    const before = balance();
    expect((await post('/v1/embeddings', { input: ['a cat sat on the mat', 'zzz'] })).status).toBe(400);
    expect(balance()).toBe(before);
    expect((await post('/v1/embeddings', { input: 'a cat sat on the mat' })).status).toBe(200);
    expect(balance()).toBeLessThan(before);
  });

  test('ranks nothing by a query of unknown words', async () => {
    const reply = await post('/v1/rerank', { query: 'zzz', documents: ['a cat', 'a dog'] });
    expect([reply.status, reply.json()]).toMatchObject([400, { error: { param: 'query' } }]);
  });

  test('ranks a document of unknown words like one that has nothing to do with the query', async () => {
    const reply = await post('/v1/rerank', { query: 'a cat', documents: ['zzz', 'a cat'] });
    expect(reply.json()).toMatchObject({
      results: [{ index: 1 }, { index: 0, relevance_score: 0.5 }],
    });
  });
});

test('a vector with numbers that JSON cannot express is a failure, not a broken answer', async () => {
  const server = await scriptedServer((_, response) =>
    sendJson(response, 200, {
      data: [{ index: 0, embedding: [1e39, 1] }],
      usage: { prompt_tokens: 1, total_tokens: 1 },
    }),
  );
  const { call, key } = await startDaemon();
  const upstream = {
    id: 'far',
    model: 'far',
    tasks: ['embed'],
    dimensions: 2,
    base_urls: [`${server.url}/v1`],
  };
  expect((await call('POST', '/api/daemon/upstreams', { body: upstream })).status).toBe(201);
  const reply = await call('POST', '/v1/embeddings', { token: key, body: { model: 'far', input: 'a' } });
  expect([reply.status, reply.json()]).toMatchObject([
    500,
    { error: { code: 'model_output_invalid', param: 'input[0]' } },
  ]);
});
