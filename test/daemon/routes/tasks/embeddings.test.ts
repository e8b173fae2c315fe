import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { busy, eventually, openDaemonWith, type ChatDaemon } from '../../../helpers/daemon/chat.ts';
import { scriptedModel } from '../../../helpers/models/models.ts';
import { similarity, wordEmbedder, wordRanker, wordsOf } from '../../../helpers/models/text-models.ts';

const DIMENSIONS = 1024;

describe('embeddings', () => {
  let daemon: ChatDaemon;
  const post = (body: Record<string, unknown>) =>
    daemon.call('POST', '/v1/embeddings', { token: daemon.key, body: { model: 'svc-embed-v1', ...body } });

  beforeAll(async () => {
    daemon = await openDaemonWith(
      {
        embedder: await wordEmbedder({ dimensions: DIMENSIONS, contextTokens: 128 }),
        ranker: await wordRanker(),
        shortenable: await wordEmbedder({ name: 'Nomic Embed Text v1.5', dimensions: 256 }),
        talker: await scriptedModel('Any answer.'),
      },
      { ASKD_MODEL_SLOTS: '2' },
    );
    daemon.services.library.bind('svc-embed-v1', 'embedder');
  });
  afterAll(() => daemon.close());

  test('come to the SDK as numbers, whichever format it asks for', async () => {
    const input = ['the cat sat on the mat', 'on the mat sat the cat', 'red fire'];
    const { sdk } = daemon;
    const byDefault = await sdk.embeddings.create({ model: 'svc-embed-v1', input });
    const asFloats = await sdk.embeddings.create({ model: 'svc-embed-v1', input, encoding_format: 'float' });
    expect(byDefault.data.map(({ object, index }) => [object, index])).toEqual([
      ['embedding', 0],
      ['embedding', 1],
      ['embedding', 2],
    ]);
    expect(byDefault.data.map(({ embedding }) => Array.from(embedding))).toEqual(
      asFloats.data.map(({ embedding }) => embedding),
    );
    const [first = [], same = [], other = []] = asFloats.data.map(({ embedding }) => embedding);
    expect(first).toHaveLength(DIMENSIONS);
    expect(similarity(first, same)).toBeCloseTo(1, 4);
    expect(similarity(first, other)).toBeLessThan(0.5);
    expect(byDefault.usage).toEqual({ prompt_tokens: 20, total_tokens: 20 });
  });

  test('have the documented shape, with the cost', async () => {
    const reply = await post({ input: 'red fire' });
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(reply.json()).toEqual({
      object: 'list',
      data: [{ object: 'embedding', index: 0, embedding: expect.any(Array) as number[] }],
      model: 'svc-embed-v1',
      usage: { prompt_tokens: 4, total_tokens: 4 },
      cost: { total_usd: 0.00000008, price_per_million_tokens: 0.02 },
    });
  });

  test('of base64 are the bytes of little-endian floats', async () => {
    type Reply<Embedding> = { data: [{ embedding: Embedding }] };
    const numbers = (await post({ input: 'the cat' })).json<Reply<number[]>>().data[0].embedding;
    const text = (await post({ input: 'the cat', encoding_format: 'base64' })).json<Reply<string>>();
    const bytes = Buffer.from(text.data[0].embedding, 'base64');
    expect(bytes).toHaveLength(DIMENSIONS * 4);
    expect(numbers.map((_, index) => bytes.readFloatLE(index * 4))).toEqual(numbers);
  });

  test('of tokens are those of the text that they were cut from', async () => {
    const embeddings = async (input: unknown) =>
      (await post({ input })).json<{ data: { embedding: number[] }[] }>().data.map((item) => item.embedding);
    const [text] = await embeddings('the a cat');
    const tokens = [0, 4, 5, 6, 2];
    expect(await embeddings(tokens)).toEqual([text]);
    expect(await embeddings([tokens, tokens])).toEqual([text, text]);
  });

  test.each([
    [{ input: undefined }, 400, 'missing_required_parameter', 'input'],
    [{ input: [] }, 400, 'invalid_value', 'input'],
    [{ input: '' }, 400, 'invalid_value', 'input'],
    [{ input: ['a', ''] }, 400, 'invalid_value', 'input[1]'],
    [{ input: 7 }, 400, 'invalid_value', 'input'],
    [{ input: { text: 'a' } }, 400, 'invalid_value', 'input'],
    [{ input: Array<string>(101).fill('a') }, 400, 'invalid_value', 'input'],
    [{ input: [0, 99_999] }, 400, 'invalid_value', 'input[0]'],
    [{ input: ['a', wordsOf(127)] }, 400, 'context_length_exceeded', 'input[1]'],
    [{ input: 'a', encoding_format: 'hex' }, 400, 'invalid_value', 'encoding_format'],
    [{ input: 'a', dimensions: 0 }, 400, 'invalid_value', 'dimensions'],
    [{ input: 'a', dimensions: 512 }, 400, 'invalid_value', 'dimensions'],
    [{ input: 'a', dimensions: 2048 }, 400, 'invalid_value', 'dimensions'],
    [{ input: 'a', truncate: true }, 400, 'unsupported_parameter', 'truncate'],
    [{ input: 'a', model: 'nobody' }, 404, 'model_not_found', 'model'],
    [{ input: 'a', model: 'talker' }, 400, 'model_capability_mismatch', 'model'],
    [{ input: 'a', model: 'ranker' }, 400, 'model_capability_mismatch', 'model'],
    [{ input: 'a', model: 'svc-chat-v1' }, 400, 'model_capability_mismatch', 'model'],
  ])('%j is %d %s', async (body, status, code, param) => {
    const reply = await post(body);
    expect([reply.status, reply.json()]).toMatchObject([status, { error: { code, param } }]);
  });

  test('of a text that is too long are refused with both counts', async () => {
    expect((await post({ input: wordsOf(127) })).json()).toMatchObject({
      error: { n_prompt_tokens: 129, n_ctx: 128 },
    });
  });

  test('can have fewer dimensions where the model was made for it', async () => {
    const { data } = await daemon.sdk.embeddings.create({
      model: 'shortenable',
      input: 'a cat',
      dimensions: 64,
    });
    const [{ embedding = [] } = {}] = data;
    expect(embedding).toHaveLength(64);
    expect(similarity(embedding, embedding)).toBeCloseTo(1, 5);
  });

  test('match the model’s record', async () => {
    const reply = await daemon.call('GET', '/v1/models/embedder', { token: daemon.key });
    expect(reply.json()).toMatchObject({
      category: 'embedding',
      capabilities: { embeddings: true },
      pricing: { price_per_million_tokens: 0.01, currency: 'usd' },
      specifications: { max_tokens: 128, output_dimensions: DIMENSIONS },
    });
  });

  test('with the model’s own number of dimensions are the same as without it', async () => {
    const plain = (await post({ input: 'the cat' })).text;
    expect((await post({ input: 'the cat', dimensions: DIMENSIONS })).text).toBe(plain);
  });

  test('are recorded with the tokens that were evaluated', async () => {
    const reply = await post({ input: ['the cat', 'a dog'] });
    const row = daemon.services.store
      .prepare(
        'SELECT task, model, artifact, prompt_tokens, completion_tokens, outcome FROM usage WHERE id = ?',
      )
      .get(reply.headers['x-request-id']);
    expect(row).toEqual({
      task: 'embed',
      model: 'svc-embed-v1',
      artifact: 'embedder',
      prompt_tokens: 8,
      completion_tokens: 0,
      outcome: 'finished',
    });
  });

  test('stop when the client disconnects, and the evaluated tokens are recorded', async () => {
    const { sdk, services } = daemon;
    const usage = () =>
      services.store
        .prepare<{ outcome: string; prompt_tokens: number }>(
          "SELECT outcome, prompt_tokens FROM usage WHERE outcome = 'disconnected'",
        )
        .all();
    const abort = new AbortController();
    const input = Array<string>(100).fill(wordsOf(126));
    const asking = sdk.embeddings.create({ model: 'svc-embed-v1', input }, { signal: abort.signal });
    await eventually(() => busy(daemon)).toBe(1);
    abort.abort();
    await expect(asking).rejects.toThrow();
    await eventually(() => usage().length).toBe(1);
    expect(usage()[0]?.prompt_tokens).toBeLessThan(100 * 128);
    await eventually(() => busy(daemon)).toBe(0);
  });
});

test('embeddings that need not be exact come from the prebuilt engine, too, and the log says what would be faster', async () => {
  const models = { embedder: await wordEmbedder() };
  const daemon = await openDaemonWith(models, { ASKD_EXACT_VECTORS: 'false' });
  onTestFinished(() => daemon.close());
  const input = ['red fire', 'the cat sat'];
  const { data } = await daemon.sdk.embeddings.create({ model: 'embedder', input });
  expect(data).toHaveLength(2);
  const { paths } = daemon.services.settings;
  await eventually(() => readFileSync(paths.log, 'utf8')).toMatch(/one at a time: .*askd engines build/);
});
