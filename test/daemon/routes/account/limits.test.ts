import { createHash } from 'node:crypto';
import OpenAI from 'openai';
import { describe, expect, test, vi } from 'vitest';
import { toNano } from '../../../../src/base/money.ts';
import { collect, daemonWith, hello, type ChatDaemon } from '../../../helpers/daemon/chat.ts';
import { holdClock } from '../../../helpers/clock.ts';
import { startDaemon, type Reply, type TestDaemon } from '../../../helpers/daemon/daemon.ts';
import { endlessModel, scriptedModel } from '../../../helpers/models/models.ts';

const HEADERS = ['limit-rpm', 'remaining-rpm', 'limit-tpm', 'remaining-tpm'];
const hosted = { ASKD_PROFILE: 'hosted' };

type Limits = { rpm?: number; tpm?: number; monthly_tokens?: number };
type ErrorReply = { error: Record<string, unknown> };

function rateHeaders({ headers }: Pick<Reply, 'headers'>): number[] {
  return HEADERS.map((name) => Number(headers[`x-ratelimit-${name}`] ?? Number.NaN));
}

async function limit({ call }: Pick<TestDaemon, 'call'>, limits: Limits): Promise<void> {
  const reply = await call('PUT', '/api/account/tier', { body: { tier: 'enterprise', ...limits } });
  expect(reply.status).toBe(200);
}

function addCredits({ services }: Pick<TestDaemon, 'services'>, credits: number): void {
  const { store, wallet } = services;
  const reference = { refType: 'test', refId: createHash('sha256').update(String(credits)).digest('hex') };
  const posting = {
    accountId: 'acct_local',
    type: 'topup',
    amountN: toNano(credits),
    description: '',
  } as const;
  store.transaction(() => wallet.credit({ ...posting, ...reference }));
}

type Counting = {
  maxRetries?: number;
  /** Called with the number of each request before it is sent. */
  before?: (request: number) => Promise<void> | void;
};

/** The official client, with a count of the requests it really sent. */
function countingSdk(
  { baseURL, key }: Pick<ChatDaemon, 'baseURL' | 'key'>,
  { maxRetries = 2, before }: Counting = {},
) {
  let requests = 0;
  const sdk = new OpenAI({
    apiKey: key,
    baseURL,
    maxRetries,
    fetch: async (url, init) => {
      requests += 1;
      await before?.(requests);
      return fetch(url, init);
    },
  });
  return { sdk, requests: () => requests };
}

describe('every answer of /v1 says what is left', () => {
  test('so does one that refuses, for whatever reason', async () => {
    const daemon = await startDaemon();
    await limit(daemon, { rpm: 7, tpm: 1234 });
    const { key: token } = daemon;
    const replies = await Promise.all([
      daemon.call('GET', '/v1/models', { token: null }),
      daemon.call('GET', '/v1/models/nobody', { token }),
      daemon.call('GET', '/v1/nothing', { token }),
      daemon.call('DELETE', '/v1/models', { token }),
      daemon.call('GET', '/v1/wallet/balance', { token: null }),
      daemon.call('POST', '/v1/wallet/balance', { token, body: {} }),
      daemon.call('POST', '/v1/chat/completions', { token, body: 'no json' }),
      daemon.call('POST', '/v1/chat/completions', { token, body: { model: 'm', messages: [] } }),
      daemon.call('POST', '/v1/chat/completions', { token, body: { model: 'nobody', messages: hello } }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 404, 404, 405, 401, 405, 400, 400, 404]);
    for (const reply of replies) expect(rateHeaders(reply)).toEqual([7, 7, 1234, 1234]);
  });

  test('a stream says it before its first byte, less what it may still use', async () => {
    holdClock();
    const daemon = await daemonWith({ m: await endlessModel() });
    await limit(daemon, { rpm: 7, tpm: 100_000 });
    const stream = await daemon.sdk.chat.completions
      .create({ model: 'm', messages: hello, max_tokens: 500, stream: true })
      .withResponse();
    const [rpmLimit, rpm, , tpm = 0] = rateHeaders({
      headers: Object.fromEntries(stream.response.headers),
    });
    expect([rpmLimit, rpm]).toEqual([7, 6]);
    expect(tpm).toBeLessThan(100_000 - 500);
    await collect(stream.data);
    const status = await daemon.call('GET', '/v1/rate-limit', { token: daemon.key });
    expect(rateHeaders(status)[3]).toBeGreaterThan(tpm - 1);
  });

  test('GET /v1/rate-limit says the same as its headers, and costs nothing', async () => {
    holdClock();
    const daemon = await daemonWith({ m: await scriptedModel('One. Two.') });
    await limit(daemon, { rpm: 50 });
    await daemon.chat({});
    const replies = [];
    for (let count = 0; count < 3; count++) {
      replies.push(await daemon.call('GET', '/v1/rate-limit', { token: daemon.key }));
    }
    for (const reply of replies) {
      const body = reply.json<{
        limit: number;
        remaining: number;
        reset: string;
        tokens: Record<string, number>;
      }>();
      const { limit: rpm, remaining, tokens } = body;
      expect([rpm, remaining, tokens['limit'], tokens['remaining']]).toEqual(rateHeaders(reply));
      expect(Date.parse(body.reset) % 60_000).toBe(0);
    }
    const [, remaining] = rateHeaders(replies.at(-1) as Reply);
    expect(remaining).toBe(49);
  });
});

describe('a limit that is reached', () => {
  test('is 429 with the seconds until the minute ends, in the header and in the body', async () => {
    holdClock();
    const daemon = await daemonWith({ m: await scriptedModel('One.') });
    await limit(daemon, { rpm: 1 });
    const replies = [await daemon.chat({}), await daemon.chat({}), await daemon.chat({ stream: true })];
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(2);
    for (const reply of refused) {
      const { error } = reply.json<ErrorReply>();
      expect(error).toMatchObject({ type: 'rate_limit_error', code: 'rate_limit_exceeded', param: 'rpm' });
      expect(error['retry_after']).toBe(Number(reply.headers['retry-after']));
      expect(error['retry_after']).toBeGreaterThanOrEqual(1);
      expect(error['retry_after']).toBeLessThanOrEqual(60);
      expect(rateHeaders(reply)[1]).toBe(0);
    }
  });

  test('for tokens lets a smaller request through', async () => {
    holdClock();
    const daemon = await daemonWith({ m: await scriptedModel('One.') });
    await limit(daemon, { tpm: 120 });
    await daemon.chat({ max_tokens: 1 });
    const running = daemon.services.rates.admit('acct_local', { promptTokens: 40, completionTokens: 40 });
    const refused = await daemon.chat({ max_tokens: 60 });
    daemon.services.rates.cancel(running);
    expect([refused.status, refused.json<ErrorReply>().error['param']]).toEqual([429, 'tpm']);
    expect((await daemon.chat({ max_tokens: 20 })).status).toBe(200);
  });

  test('is a mistake, not a limit, for a prompt larger than the tier', async () => {
    const daemon = await daemonWith({ m: await scriptedModel('One.') });
    await limit(daemon, { tpm: 3 });
    const reply = await daemon.chat({});
    expect([reply.status, reply.headers['x-should-retry'], reply.headers['retry-after']]).toEqual([
      400,
      'false',
      undefined,
    ]);
    expect(reply.json<ErrorReply>().error['code']).toBe('request_too_large_for_tier');
  });

  test('on the free tier is ten requests a minute', async () => {
    holdClock();
    const daemon = await daemonWith({ m: await scriptedModel('One.') }, hosted);
    expect(rateHeaders(await daemon.call('GET', '/v1/models')).slice(0, 3)).toEqual([10, 10, 100_000]);
    const attempts = await Promise.all(Array.from({ length: 25 }, () => daemon.chat({ max_tokens: 2 })));
    const statuses = attempts.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect((await daemon.call('GET', '/v1/wallet/transactions')).json()).toEqual({ transactions: [] });
  });

  test('for the tokens of a month says that waiting a minute does not help', async () => {
    const daemon = await daemonWith({ m: await scriptedModel('One.') });
    await limit(daemon, { monthly_tokens: 5 });
    const reply = await daemon.chat({});
    expect([reply.status, reply.headers['x-should-retry'], reply.headers['retry-after']]).toEqual([
      429,
      'false',
      undefined,
    ]);
    expect(reply.json<ErrorReply>().error).toMatchObject({
      type: 'insufficient_quota',
      code: 'insufficient_quota',
    });
    const status = await daemon.call('GET', '/v1/rate-limit', { token: daemon.key });
    expect(status.json()).toMatchObject({ month: { used: 0, limit: 5 } });
  });
});

describe('the official client', () => {
  test('asks once where credits are missing, and throws the error', async () => {
    const daemon = await daemonWith({ m: await scriptedModel('One.') }, hosted);
    await limit(daemon, {});
    const { sdk, requests } = countingSdk(daemon);
    const answer = sdk.chat.completions.create({ model: 'm', messages: hello });
    await expect(answer).rejects.toMatchObject({ status: 402, code: 'insufficient_credits' });
    expect(requests()).toBe(1);
  });

  test('asks once where the monthly quota is used up', async () => {
    const daemon = await daemonWith({ m: await scriptedModel('One.') });
    daemon.services.wallet.settings.put('acct_local', {
      spendingLimit: { enabled: true, limitN: 1, action: 'block' },
    });
    const { sdk, requests } = countingSdk(daemon);
    const answer = sdk.chat.completions.create({ model: 'm', messages: hello });
    await expect(answer).rejects.toMatchObject({ status: 402, code: 'spending_limit_reached' });
    expect(requests()).toBe(1);
  });

  test('retries until it is answered while credits are only held', async () => {
    const daemon = await daemonWith({ m: await scriptedModel('One.') }, hosted);
    await limit(daemon, {});
    addCredits(daemon, 0.0001);
    const { store, wallet } = daemon.services;
    const all = { leastN: toNano(0.0001), wantN: toNano(0.0001) };
    const hold = store.transaction(() => wallet.holds.open('acct_local', 'req_running', all));
    const { sdk, requests } = countingSdk(daemon, {
      before: (request) => {
        if (request === 3) store.transaction(() => wallet.holds.release(hold));
      },
    });
    const answer = await sdk.chat.completions.create({ model: 'm', messages: hello });
    expect(answer.choices[0]?.message.content).toBe('One.');
    expect(requests()).toBe(3);
  }, 60_000);

  test('waits as long as Retry-After says and retries where the minute is used up', async () => {
    const SECONDS_LEFT = 3;
    const nextMinute = Math.ceil(Date.now() / 60_000) * 60_000;
    holdClock(nextMinute - SECONDS_LEFT * 1000);
    const daemon = await daemonWith({ m: await scriptedModel('One.') });
    await limit(daemon, { rpm: 1 });
    await daemon.chat({});
    const askedAt: number[] = [];
    const { sdk } = countingSdk(daemon, {
      before: (request) => {
        askedAt.push(performance.now());
        if (request === 2) vi.setSystemTime(nextMinute);
      },
    });
    const answer = await sdk.chat.completions.create({ model: 'm', messages: hello });
    expect(answer.choices[0]?.message.content).toBe('One.');
    expect(askedAt).toHaveLength(2);
    const [first = 0, second = 0] = askedAt;
    expect(second - first).toBeGreaterThan(SECONDS_LEFT * 1000 - 100);
  }, 60_000);

  test('asks once where an Idempotency-Key was used for something else', async () => {
    const daemon = await daemonWith({ m: await scriptedModel('One.') });
    const { sdk, requests } = countingSdk(daemon);
    const keyed = { headers: { 'Idempotency-Key': 'k' } };
    await sdk.chat.completions.create({ model: 'm', messages: hello }, keyed);
    const other = sdk.chat.completions.create({ model: 'm', messages: hello, max_tokens: 1 }, keyed);
    await expect(other).rejects.toMatchObject({ status: 422, code: 'idempotency_key_reused' });
    expect(requests()).toBe(2);
  });

  test('retries while its answer is under way, gets that answer, and pays once', async () => {
    const daemon = await daemonWith({ m: await endlessModel() });
    // Each time it is told to come again in a second, however long that answer takes.
    const { sdk, requests } = countingSdk(daemon, { maxRetries: 100 });
    const keyed = { headers: { 'Idempotency-Key': 'k' } };
    const body = { model: 'm', messages: hello, max_tokens: 300 };
    const [first, second] = await Promise.all([
      sdk.chat.completions.create(body, keyed),
      sdk.chat.completions.create(body, keyed),
    ]);
    expect(second).toEqual(first);
    expect(requests()).toBeGreaterThan(2);
    const usages = await daemon.call('GET', '/v1/wallet/transactions?type=usage', { token: daemon.key });
    expect(usages.json<{ transactions: unknown[] }>().transactions).toHaveLength(1);
  }, 120_000);
});
