import OpenAI, { toFile } from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  chats,
  createBatch,
  linesOf,
  messages,
  overOf,
  readBatchFile,
  requests,
} from '../../../../helpers/daemon/batches.ts';
import { openDaemonWith, type ChatDaemon } from '../../../../helpers/daemon/chat.ts';
import { scriptedModel } from '../../../../helpers/models/models.ts';
import { markerModel, wordEmbedder, wordRanker } from '../../../../helpers/models/text-models.ts';

const TEXT = 'A short answer.';
const ACCOUNT = 'acct_local';

let daemon: ChatDaemon;
let openai: OpenAI;

beforeAll(async () => {
  daemon = await openDaemonWith(
    {
      m: await scriptedModel(TEXT),
      embedder: await wordEmbedder({ dimensions: 8 }),
      ranker: await wordRanker(),
      guard: await markerModel({ name: 'Tiny Guard' }),
    },
    { ASKD_MODEL_SLOTS: '1' },
  );
  daemon.services.library.bind('svc-moderation-v1', 'guard');
  openai = daemon.sdk;
});
afterAll(() => daemon.close());

const create = (text: string, endpoint?: string) => createBatch(openai, text, endpoint);

const spent = () => daemon.services.wallet.balance(ACCOUNT).balance;
const held = () => daemon.services.wallet.balance(ACCOUNT).held;

/** What this request costs without a batch. */
async function chargeAlone(path: string, body: unknown): Promise<number> {
  const { headers } = await daemon.call('POST', path, { token: daemon.key, body });
  return creditsOf(String(headers['x-request-id']));
}

async function creditsOf(requestId: string | undefined): Promise<number> {
  const usage = await daemon.call('GET', `/api/usage/requests/${requestId}`);
  return usage.json<{ credits: number }>().credits;
}

describe('a batch through the official SDK', { timeout: 60_000 }, () => {
  test('answers every request in order, for half of what they cost alone', async () => {
    const before = spent();
    const alone = await openai.chat.completions.create({ model: 'm', messages });
    const price = before - spent();
    const created = await create(linesOf(chats(5)));
    expect(created).toMatchObject({
      object: 'batch',
      endpoint: '/v1/chat/completions',
      completion_window: '24h',
      metadata: { for: 'a test' },
      output_file_id: null,
    });
    const batch = await overOf(openai, created.id);
    expect(batch).toMatchObject({
      status: 'completed',
      model: 'm',
      errors: null,
      error_file_id: null,
      request_counts: { total: 5, completed: 5, failed: 0 },
      usage: { total_tokens: 5 * (alone.usage?.total_tokens ?? 0) },
    });
    const lines = await readBatchFile(openai, batch.output_file_id);
    expect(lines.map(({ custom_id }) => custom_id)).toEqual([
      'line-1',
      'line-2',
      'line-3',
      'line-4',
      'line-5',
    ]);
    expect(lines[0]).toMatchObject({
      id: expect.stringMatching(/^batch_req_/) as string,
      error: null,
      response: {
        status_code: 200,
        request_id: expect.stringMatching(/^req_/) as string,
        body: { object: 'chat.completion', choices: [{ message: { content: TEXT } }] },
      },
    });
    expect(before - price - spent()).toBeCloseTo((5 * price) / 2, 8);
    expect((batch as unknown as { cost: number }).cost).toBeCloseTo((5 * price) / 2, 8);
    expect(held()).toBe(0);
  });

  test.each([
    ['/v1/responses', { model: 'm', input: 'hello' }, 'response'],
    ['/v1/completions', { model: 'm', prompt: 'hello' }, 'text_completion'],
    ['/v1/embeddings', { model: 'embedder', input: 'the cat' }, 'list'],
  ])('does requests to %s', async (endpoint, body, object) => {
    const batch = await overOf(openai, (await create(linesOf(requests(endpoint, [body])), endpoint)).id);
    expect(batch.status).toBe('completed');
    expect((await readBatchFile(openai, batch.output_file_id))[0]?.response).toMatchObject({
      status_code: 200,
      body: { object },
    });
  });

  test.each([
    ['/v1/moderations', { input: 'the cat' }],
    ['/v1/rerank', { model: 'ranker', query: 'the cat', documents: ['the cat', 'red fire'] }],
  ])('does requests to %s', async (endpoint, body) => {
    const batch = await overOf(openai, (await create(linesOf(requests(endpoint, [body])), endpoint)).id);
    expect((await readBatchFile(openai, batch.output_file_id))[0]?.response).toMatchObject({
      status_code: 200,
      body: { results: expect.any(Array) as unknown[] },
    });
  });

  test('puts failed requests into their own file, each with the error it would get alone', async () => {
    const items = [...chats(1), ...chats(1, { temperature: 9 }, 2), ...chats(1, {}, 3)];
    const batch = await overOf(openai, (await create(linesOf(items))).id);
    expect(batch).toMatchObject({
      status: 'completed',
      request_counts: { total: 3, completed: 2, failed: 1 },
    });
    expect((await readBatchFile(openai, batch.output_file_id)).map(({ custom_id }) => custom_id)).toEqual([
      'line-1',
      'line-3',
    ]);
    expect(await readBatchFile(openai, batch.error_file_id)).toMatchObject([
      {
        custom_id: 'line-2',
        error: null,
        response: { status_code: 400, body: { error: { param: 'temperature' } } },
      },
    ]);
  });

  test.each([
    ['/v1/chat/completions', { model: 'm', messages }],
    ['/v1/completions', { model: 'm', prompt: 'hello' }],
    ['/v1/responses', { model: 'm', input: 'hello' }],
    ['/v1/embeddings', { model: 'embedder', input: 'the cat' }],
    ['/v1/moderations', { input: 'the cat' }],
    ['/v1/rerank', { model: 'ranker', query: 'the cat', documents: ['the cat', 'red fire'] }],
  ])('shows what a request to %s was charged: half', async (endpoint, body) => {
    const full = await chargeAlone(endpoint, body);
    const before = spent();
    const batch = await overOf(
      openai,
      (await create(linesOf(requests(endpoint, [body, body])), endpoint)).id,
    );
    const charged = before - spent();
    const responses = (await readBatchFile(openai, batch.output_file_id)).map(({ response }) => response);
    for (const response of responses) {
      expect(response?.cost).toBeCloseTo(full / 2, 8);
      expect(response?.cost).toBe(await creditsOf(response?.request_id));
      if (response?.body['cost']) expect(response.body['cost']).toMatchObject({ total_usd: response.cost });
    }
    const shown = responses.reduce((sum, response) => sum + (response?.cost ?? 0), 0);
    expect(shown).toBeGreaterThan(0);
    expect(shown).toBeCloseTo(charged, 9);
    expect((batch as unknown as { cost: number }).cost).toBeCloseTo(charged, 9);
  });

  test('is listed with the others, the newest first and a page at a time', async () => {
    const first = await create(linesOf(chats(1)));
    const second = await create(linesOf(chats(1)));
    const page = await openai.batches.list({ limit: 1 });
    expect(page.data.map(({ id }) => id)).toEqual([second.id]);
    expect((await page.getNextPage()).data.map(({ id }) => id)).toEqual([first.id]);
    await Promise.all([overOf(openai, first.id), overOf(openai, second.id)]);
  });

  test('belongs to its key', async () => {
    const { key } = daemon.services.keys.create({
      ...{ accountId: ACCOUNT, name: 'other', scopes: ['chat'], expiresAt: null },
    });
    const other = new OpenAI({ apiKey: key, baseURL: daemon.baseURL, maxRetries: 0 });
    const { id, input_file_id } = await create(linesOf(chats(1)));
    const wanted = { input_file_id, endpoint: '/v1/chat/completions', completion_window: '24h' } as const;
    await expect(other.batches.retrieve(id)).rejects.toMatchObject({ status: 404 });
    await expect(other.batches.cancel(id)).rejects.toMatchObject({ status: 404 });
    await expect(other.batches.create(wanted)).rejects.toMatchObject({ status: 404, param: 'input_file_id' });
    expect((await other.batches.list()).data).toEqual([]);
    await overOf(openai, id);
  });
});

describe('a file with mistakes', { timeout: 60_000 }, () => {
  const line = (over: object) => ({ ...chats(1)[0], ...over });

  test.each([
    ['no requests', '\n', { code: 'empty_file', line: null }],
    ['a line that is no JSON', `${linesOf(chats(1))}{oops\n`, { code: 'invalid_json_line', line: 2 }],
    ['a list in a line', '[1]\n', { code: 'invalid_json_line', line: 1 }],
    [
      'one id twice',
      linesOf([...chats(1), ...chats(1)]),
      { code: 'duplicate_custom_id', line: 2, param: 'custom_id' },
    ],
    [
      'no id',
      linesOf([line({ custom_id: undefined })]),
      { code: 'missing_required_parameter', param: 'custom_id' },
    ],
    ['another method', linesOf([line({ method: 'GET' })]), { code: 'invalid_value', param: 'method' }],
    ['another path', linesOf([line({ url: '/v1/embeddings' })]), { code: 'url_mismatch', param: 'url' }],
    ['no body', linesOf([line({ body: undefined })]), { code: 'missing_required_parameter', param: 'body' }],
    ['a stream', linesOf(chats(1, { stream: true })), { code: 'invalid_value', param: 'body.stream' }],
    [
      'two models',
      linesOf([...chats(1), ...chats(1, { model: 'x' }, 2)]),
      { code: 'model_mismatch', line: 2 },
    ],
    [
      'an unknown model',
      linesOf(chats(1, { model: 'nobody' })),
      { code: 'model_not_found', param: 'body.model' },
    ],
  ])('such as %s fails before its first request', async (_what, text, error) => {
    const batch = await overOf(openai, (await create(text)).id);
    expect(batch).toMatchObject({ status: 'failed', request_counts: { completed: 0, failed: 0 } });
    expect(batch.errors?.data?.[0]).toMatchObject({ message: expect.any(String) as string, ...error });
  });

  test('is refused at once if it is not a batch', async () => {
    const file = await openai.files.create({
      file: await toFile(Buffer.from('x'), 'x.md'),
      purpose: 'user_data',
    });
    const wanted = {
      input_file_id: file.id,
      endpoint: '/v1/chat/completions',
      completion_window: '24h',
    } as const;
    await expect(openai.batches.create(wanted)).rejects.toMatchObject({
      status: 400,
      param: 'input_file_id',
    });
    await expect(openai.batches.create({ ...wanted, endpoint: '/v1/images/edits' })).rejects.toMatchObject({
      status: 400,
      param: 'endpoint',
    });
  });
});
