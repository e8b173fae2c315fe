import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI, { APIConnectionError, RateLimitError } from 'openai';
import { describe, expect, test } from 'vitest';
import { collect, eventually, hello } from '../../helpers/daemon/chat.ts';
import { ANSWER, troubledDaemon, type TroubledDaemon } from '../../helpers/daemon/test-key.ts';
import { receiver } from '../../helpers/servers/webhooks.ts';
import { webhookComplaint } from '../../../src/base/webhook-signature.ts';

const refusalOf = async (response: Response) => {
  const { error } = (await response.json()) as { error: { code: string; type: string; message: string } };
  return { status: response.status, code: error.code, type: error.type };
};

const balanceOf = ({ services }: TroubledDaemon) => services.wallet.balance('acct_local');

/** What a stream brought before it ended or broke. */
async function readStream(response: Response): Promise<{ text: string; broke: boolean }> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const part of response.body as AsyncIterable<Uint8Array>)
      text += decoder.decode(part, { stream: true });
    return { text, broke: false };
  } catch {
    return { text, broke: true };
  }
}

const saidIn = (text: string) =>
  [...text.matchAll(/"content":"([^"]*)"/g)].map(([, said = '']) => said).join('');

describe('errors', () => {
  test.each([
    ['status=429; retry-after=2', 429, 'rate_limit_exceeded', 'rate_limit_error', '2', null],
    ['error=overload', 503, 'queue_full', 'server_error', '2', null],
    ['error=empty-wallet', 402, 'insufficient_credits', 'insufficient_credits', null, 'false'],
    ['error=expired-key', 401, 'expired_api_key', 'invalid_request_error', null, null],
    ['error=revoked-key', 401, 'invalid_api_key', 'invalid_request_error', null, null],
    ['status=500', 500, 'internal_error', 'server_error', null, null],
  ])(
    '%s has the status, body and headers of the real error',
    async (asked, status, code, type, wait, again) => {
      const { ask } = await troubledDaemon();
      const response = await ask(asked);
      expect({
        simulated: response.headers.get('x-askd-simulated')?.startsWith(`error=${code}`),
        wait: response.headers.get('retry-after'),
        again: response.headers.get('x-should-retry'),
        ...(await refusalOf(response)),
      }).toEqual({ simulated: true, wait, again, status, code, type });
    },
  );

  test('cost nothing, and a retry with the same Idempotency-Key is answered', async () => {
    const daemon = await troubledDaemon();
    await daemon.call('PUT', '/api/account/profile', { body: { profile: 'hosted' } });
    const before = balanceOf(daemon);
    await daemon.addRule({ error: 'queue_full', retry_after: 0, times: 1 });
    const sdk = new OpenAI({ apiKey: daemon.tests.key, baseURL: daemon.baseURL, maxRetries: 1 });
    const request = { model: 'm', messages: hello, max_tokens: 20 };
    const answer = await sdk.chat.completions.create(request, { idempotencyKey: 'once' });
    expect(answer.choices[0]?.message.content).toBe(ANSWER);
    expect(balanceOf(daemon).held).toBe(before.held);
  });

  test('are those of the openai and anthropic packages', async () => {
    const { baseURL, tests, port } = await troubledDaemon();
    const headers = { 'x-askd-simulate': 'status=429' };
    const openai = new OpenAI({ apiKey: tests.key, baseURL, maxRetries: 0, defaultHeaders: headers });
    await expect(openai.responses.create({ model: 'm', input: 'hi' })).rejects.toThrow(RateLimitError);
    const anthropic = new Anthropic({
      ...{ apiKey: tests.key, baseURL: `http://127.0.0.1:${port}`, maxRetries: 0 },
      defaultHeaders: headers,
    });
    const message = { model: 'm', max_tokens: 9, messages: hello };
    await expect(anthropic.messages.create(message)).rejects.toThrow(Anthropic.RateLimitError);
  });
});

describe('other keys', () => {
  test.each([
    ['POST', '/v1/chat/completions', { model: 'm', messages: hello }],
    ['POST', '/v1/completions', { model: 'm', prompt: 'hi' }],
    ['POST', '/v1/responses', { model: 'm', input: 'hi' }],
    ['POST', '/v1/messages', { model: 'm', max_tokens: 9, messages: hello }],
    ['POST', '/v1/embeddings', { model: 'm', input: 'hi' }],
    ['POST', '/api/chat', { model: 'm', messages: hello }],
    ['GET', '/v1/models', undefined],
  ])('cannot simulate trouble at %s %s, which says why', async (method, path, body) => {
    const { call, ordinary } = await troubledDaemon({ ASKD_OLLAMA_API: 'on' });
    const headers = { 'x-askd-simulate': 'status=429' };
    for (const token of [ordinary.key, undefined, ...(path === '/v1/models' ? [null] : [])]) {
      const reply = await call(method, path, { body, headers, ...(token !== undefined && { token }) });
      expect([reply.status, reply.text]).toEqual([403, expect.stringContaining('askd keys create --test')]);
    }
  });

  test('can have no rules, and are not affected by those of another key', async () => {
    const daemon = await troubledDaemon();
    const body = { route: 'POST /v1/chat/completions', status: 429 };
    const refused = await daemon.call('POST', `/api/keys/${daemon.ordinary.id}/simulations`, { body });
    expect([refused.status, refused.json()]).toMatchObject([
      403,
      { error: { code: 'simulation_not_allowed' } },
    ]);
    expect((await daemon.addRule({ status: 429 })).status).toBe(201);
    expect((await daemon.ask(undefined)).status).toBe(429);
    const untouched = await daemon.ask(undefined, {}, daemon.ordinary.key);
    expect([untouched.status, untouched.headers.get('x-askd-simulated')]).toEqual([200, null]);
  });
});

describe('rules', () => {
  test('apply to every third request, as often as they may, and can be listed and removed', async () => {
    const { ask, addRule, call, tests } = await troubledDaemon();
    const { id } = (await addRule({ status: 429, retry_after: 2, every: 3, times: 2 })).json<{
      id: string;
    }>();
    const statuses: number[] = [];
    for (let request = 0; request < 10; request += 1)
      statuses.push((await ask(undefined, { max_tokens: 1 })).status);
    expect(statuses).toEqual([200, 200, 429, 200, 200, 429, 200, 200, 200, 200]);
    const list = await call('GET', `/api/keys/${tests.id}/simulations`);
    expect(list.json()).toMatchObject({
      simulations: [{ id, every: 3, times: 2, seen: 10, simulates: { error: 'rate_limit_exceeded' } }],
    });
    await call('DELETE', `/api/keys/${tests.id}/simulations/${id}`);
    expect((await call('GET', `/api/keys/${tests.id}/simulations`)).json()).toEqual({ simulations: [] });
  });

  test('carry over to the key that replaces theirs', async () => {
    const { addRule, call, tests, ask } = await troubledDaemon();
    await addRule({ status: 429 });
    const { key } = (await call('POST', `/api/keys/${tests.id}/rotate`, { body: {} })).json<{
      key: string;
    }>();
    expect((await ask(undefined, {}, key)).status).toBe(429);
  });

  test.each([
    [{ route: 'POST /v1/chat/completion', status: 429 }, /Did you mean POST \/v1\/chat\/completions/],
    [{ route: 'POST /v1/chat/completions' }, /Nothing is requested/],
    [{ error: 'nonsense' }, /There is no error .+nonsense/],
  ])('that could have no effect are refused: %j', async (rule, message) => {
    const reply = await (await troubledDaemon()).addRule(rule);
    expect([reply.status, reply.text]).toEqual([400, expect.stringMatching(message)]);
  });
});

describe('streams', () => {
  const streamed = { stream: true };

  test('are cut after a number of texts, which costs nothing and is in the usage record', async () => {
    const daemon = await troubledDaemon();
    const response = await daemon.ask('cut-after=2', streamed);
    const id = response.headers.get('x-request-id') ?? '';
    const { text, broke } = await readStream(response);
    expect(broke).toBe(true);
    expect(text.match(/"content":"[^"]/g)).toHaveLength(2);
    expect(text).not.toContain('[DONE]');
    const usage = () => daemon.call('GET', `/api/usage/requests/${id}`);
    await expect.poll(async () => (await usage()).status, { timeout: 30_000 }).toBe(200);
    expect((await usage()).json()).toMatchObject({ simulated: 'cut-after=2', credits: 0 });
  });

  test('and answers in one piece are cut before their first byte, or in the middle', async () => {
    const { ask } = await troubledDaemon();
    for (const body of [{}, streamed]) await expect(ask('cut-after=0', body)).rejects.toThrow('fetch failed');
    const { text, broke } = await readStream(await ask('cut-after=1'));
    expect([broke, text.slice(0, 6)]).toEqual([true, '{"id":']);
  });

  test('lose their end, and nothing else', async () => {
    const { ask } = await troubledDaemon();
    const { text, broke } = await readStream(await ask('no-end', streamed));
    expect([broke, saidIn(text)]).toEqual([false, ANSWER]);
    expect(text).not.toMatch(/\[DONE\]|"finish_reason":"/);
  });

  test('end in the middle of the JSON of a frame', async () => {
    const { ask, baseURL, tests } = await troubledDaemon();
    const { text, broke } = await readStream(await ask('truncate-after=1', streamed));
    const frames = text.trim().split('\n\n');
    expect(broke).toBe(false);
    expect(() => void JSON.parse(frames.at(-1)?.slice('data: '.length) ?? '')).toThrow(SyntaxError);
    const sdk = new OpenAI({ apiKey: tests.key, baseURL, maxRetries: 0 });
    const headers = { 'x-askd-simulate': 'truncate-after=1' };
    const stream = await sdk.chat.completions.create(
      { model: 'm', messages: hello, stream: true },
      { headers },
    );
    await expect(collect(stream)).rejects.toThrow(SyntaxError);
  });

  test('break in the other APIs as in chat', async () => {
    const { baseURL, tests, port } = await troubledDaemon();
    const headers = { 'x-askd-simulate': 'cut-after=2' };
    const openai = new OpenAI({ apiKey: tests.key, baseURL, maxRetries: 0, defaultHeaders: headers });
    const response = await openai.responses.create({ model: 'm', input: 'hi', stream: true });
    await expect(collect(response)).rejects.toThrow();
    const anthropic = new Anthropic({
      apiKey: tests.key,
      baseURL: `http://127.0.0.1:${port}`,
      maxRetries: 0,
      defaultHeaders: headers,
    });
    const texts: string[] = [];
    const reading = (async () => {
      for await (const event of anthropic.messages.stream({ model: 'm', max_tokens: 20, messages: hello }))
        if (event.type === 'content_block_delta') texts.push(event.type);
    })();
    await expect(reading).rejects.toThrow();
    expect(texts).toHaveLength(2);
    await expect(openai.models.list({ headers: { 'x-askd-simulate': 'cut-after=0' } })).rejects.toThrow(
      APIConnectionError,
    );
  });

  test('wait before the headers, before the first text and between texts', async () => {
    const { ask } = await troubledDaemon();
    const startedAt = performance.now();
    const response = await ask('delay=120ms; first-token-delay=150ms; token-delay=40ms', streamed);
    expect(performance.now() - startedAt).toBeGreaterThan(118);
    const { text, broke } = await readStream(response);
    const texts = text.match(/"content":"[^"]/g)?.length ?? 0;
    expect(broke).toBe(false);
    expect(saidIn(text)).toBe(ANSWER);
    expect(performance.now() - startedAt).toBeGreaterThan(268 + (texts - 1) * 38);
  });
});

test('what was simulated is in the log', async () => {
  const { ask, home, tests } = await troubledDaemon();
  await ask('status=429');
  const folder = join(home, 'logs');
  const lines = () =>
    readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('');
  await eventually(lines).toContain('"simulated":"error=rate_limit_exceeded"');
  expect(lines()).toContain(tests.id);
  await eventually(() => entryOf(lines(), 'request')).toMatchObject({
    status: 429,
    simulated: 'error=rate_limit_exceeded',
  });
});

const entryOf = (lines: string, message: string) =>
  lines
    .split('\n')
    .filter((line) => line.includes(`"msg":"${message}"`))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .at(-1);

describe('webhooks', () => {
  const EVENTS = ['chat.started', 'chat.completed'];

  async function delivered(asked: string) {
    const inbox = await receiver();
    const daemon = await troubledDaemon({ ASKD_WEBHOOKS_ALLOW_CIDRS: '127.0.0.0/8' });
    const body = { name: 'inbox', url: inbox.url, events: EVENTS };
    const { secret } = (await daemon.call('POST', '/api/webhooks', { body })).json<{ secret: string }>();
    await daemon.ask(asked);
    const complaints = () =>
      inbox.deliveries.map(({ headers, body }) =>
        webhookComplaint({ headers, body: Buffer.from(body), secret, nowMs: Date.now() }),
      );
    return { inbox, complaints };
  }

  test('come twice with the same id', async () => {
    const { inbox, complaints } = await delivered('webhook=twice');
    await eventually(() => inbox.deliveries.length).toBe(4);
    expect(new Set(inbox.ids()).size).toBe(2);
    expect(complaints()).toEqual([undefined, undefined, undefined, undefined]);
  });

  test('come in the wrong order', async () => {
    const { inbox } = await delivered('webhook=out-of-order');
    await eventually(inbox.types).toEqual([...EVENTS].reverse());
  });

  test.each([
    ['wrong-signature', 'no signature matches'],
    ['old-timestamp', 'the timestamp is too old or in the future'],
  ])('arrive with what a receiver must refuse: %s', async (asked, complaint) => {
    const { inbox, complaints } = await delivered(`webhook=${asked}`);
    await eventually(() => inbox.deliveries.length).toBe(2);
    expect(complaints()).toEqual([complaint, complaint]);
  });

  test('come late', async () => {
    const startedAt = performance.now();
    const { inbox } = await delivered('webhook=late');
    await eventually(() => inbox.deliveries.length).toBe(2);
    expect(performance.now() - startedAt).toBeGreaterThan(5_000);
  });
});
