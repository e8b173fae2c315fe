import { describe, expect, test } from 'vitest';
import type { ApiKey, CreatedApiKey } from '../../../../src/api/account/keys.ts';
import { collect, daemonWith, hello } from '../../../helpers/daemon/chat.ts';
import { holdClock } from '../../../helpers/clock.ts';
import { startDaemon, type TestDaemon } from '../../../helpers/daemon/daemon.ts';
import { endlessModel, scriptedModel } from '../../../helpers/models/models.ts';

const NOTHING_USED = { credits_used: 0, tokens_used: 0 };
const NO_LIMITS = { credits_per_month: null, tokens_per_month: null, rpm: null };

type ErrorReply = { error: Record<string, unknown> };
type Caller = Pick<TestDaemon, 'call'>;

async function create({ call }: Caller, limits: Record<string, unknown>): Promise<CreatedApiKey> {
  const reply = await call('POST', '/api/keys', { body: { name: 'app', ...limits } });
  expect([reply.status, reply.text]).toEqual([201, expect.any(String)]);
  return reply.json<CreatedApiKey>();
}

async function budgetOf({ call }: Caller, id: string) {
  return (await call('GET', '/api/keys')).json<ApiKey[]>().find((key) => key.id === id)?.budget;
}

async function update({ call }: Caller, id: string, body: Record<string, unknown>) {
  const reply = await call('PATCH', `/api/keys/${id}`, { body });
  expect([reply.status, reply.json()]).toEqual([200, { success: true }]);
}

function ask({ call }: Caller, { key }: CreatedApiKey, body: Record<string, unknown> = {}) {
  return call('POST', '/v1/chat/completions', { token: key, body: { model: 'm', messages: hello, ...body } });
}

describe('the budget of a key', () => {
  test('is given with the key, changed part by part and removed with null', async () => {
    const daemon = await startDaemon();
    const limits = { credits_per_month: 12.5, tokens_per_month: 1_000_000, rpm: 10 };
    const key = await create(daemon, limits);
    expect(key.budget).toEqual({ ...limits, ...NOTHING_USED });
    expect(await budgetOf(daemon, key.id)).toEqual({ ...limits, ...NOTHING_USED });
    await update(daemon, key.id, { rpm: 20 });
    await update(daemon, key.id, { credits_per_month: null, name: 'renamed' });
    const changed = { ...NO_LIMITS, tokens_per_month: 1_000_000, rpm: 20, ...NOTHING_USED };
    expect(await budgetOf(daemon, key.id)).toEqual(changed);
    await update(daemon, key.id, NO_LIMITS);
    expect(await budgetOf(daemon, key.id)).toEqual({ ...NO_LIMITS, ...NOTHING_USED });
  });

  test('is absent by default, shown as null', async () => {
    const daemon = await startDaemon();
    for (const key of [await create(daemon, {}), await create(daemon, NO_LIMITS)]) {
      expect(key.budget).toBeUndefined();
      expect(await budgetOf(daemon, key.id)).toEqual({ ...NO_LIMITS, ...NOTHING_USED });
    }
  });

  test.each([
    [{ credits_per_month: -1 }, 'credits_per_month'],
    [{ credits_per_month: 8_000_001 }, 'credits_per_month'],
    [{ credits_per_month: '50' }, 'credits_per_month'],
    [{ tokens_per_month: 0 }, 'tokens_per_month'],
    [{ tokens_per_month: 1.5 }, 'tokens_per_month'],
    [{ rpm: 0 }, 'rpm'],
    [{ rpm: 1e10 }, 'rpm'],
  ])('%j is refused, and changes nothing', async (limits, param) => {
    const daemon = await startDaemon();
    const key = await create(daemon, { rpm: 5 });
    for (const reply of [
      await daemon.call('POST', '/api/keys', { body: { name: 'x', ...limits } }),
      await daemon.call('PATCH', `/api/keys/${key.id}`, { body: { ...limits } }),
    ]) {
      expect([reply.status, reply.json<ErrorReply>().error['param']]).toEqual([400, param]);
    }
    expect(await budgetOf(daemon, key.id)).toMatchObject({ rpm: 5, tokens_per_month: null });
    expect((await daemon.call('GET', '/api/keys')).json()).toHaveLength(2);
  });

  test('cannot be changed for an unknown key, and accepts no other null', async () => {
    const daemon = await startDaemon();
    const missing = await daemon.call('PATCH', '/api/keys/key_0', { body: { rpm: 5 } });
    expect(missing.status).toBe(404);
    expect(daemon.services.store.prepare('SELECT * FROM key_budgets').all()).toEqual([]);
    const key = await create(daemon, {});
    const nulls = await daemon.call('PATCH', `/api/keys/${key.id}`, { body: { name: null } });
    expect(nulls.status).toBe(400);
  });

  test('carries over when the key is replaced', async () => {
    const daemon = await daemonWith({ m: await scriptedModel('One. Two.') });
    const old = await create(daemon, { tokens_per_month: 1000, rpm: 7 });
    expect((await ask(daemon, old)).status).toBe(200);
    const used = await budgetOf(daemon, old.id);
    expect(used?.tokens_used).toBeGreaterThan(0);
    const reply = await daemon.call('POST', `/api/keys/${old.id}/rotate`, { body: { grace_seconds: 60 } });
    expect(reply.json<CreatedApiKey>().budget).toEqual(used);
  });
});

describe('a request beyond it', () => {
  test('for credits is 402, and does not touch other keys', async () => {
    const daemon = await daemonWith({ m: await scriptedModel('One. Two.') });
    const key = await create(daemon, { credits_per_month: 0 });
    const reply = await ask(daemon, key);
    expect([reply.status, reply.headers['x-should-retry']]).toEqual([402, 'false']);
    expect(reply.json<ErrorReply>().error).toEqual({
      message: expect.stringMatching(
        new RegExp(`budget of the API key ${key.id}.*askd keys update ${key.id} --credits-per-month AMOUNT$`),
      ) as string,
      type: 'insufficient_credits',
      code: 'spending_limit_reached',
      param: 'credits_per_month',
      key_id: key.id,
      limit: '0.00',
    });
    expect((await daemon.chat({})).status).toBe(200);
    await update(daemon, key.id, { credits_per_month: 1 });
    expect((await ask(daemon, key)).status).toBe(200);
  });

  test('for tokens is 429, which waiting a minute does not help', async () => {
    const daemon = await daemonWith({ m: await scriptedModel('One. Two.') });
    const key = await create(daemon, { tokens_per_month: 3 });
    const reply = await ask(daemon, key);
    expect([reply.status, reply.headers['x-should-retry'], reply.headers['retry-after']]).toEqual([
      429,
      'false',
      undefined,
    ]);
    expect(reply.json<ErrorReply>().error).toMatchObject({
      type: 'insufficient_quota',
      code: 'insufficient_quota',
      param: 'tokens_per_month',
      key_id: key.id,
    });
  });

  test('for its rate is 429 with Retry-After, and the headers show the tighter rate', async () => {
    holdClock();
    const daemon = await daemonWith({ m: await scriptedModel('One. Two.') });
    const key = await create(daemon, { rpm: 2 });
    const replies = [await ask(daemon, key), await ask(daemon, key), await ask(daemon, key)];
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 429]);
    const headers = replies.map((reply) => [
      reply.headers['x-ratelimit-limit-rpm'],
      reply.headers['x-ratelimit-remaining-rpm'],
    ]);
    expect(headers).toEqual([
      ['2', '1'],
      ['2', '0'],
      ['2', '0'],
    ]);
    const [, , refused] = replies;
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused?.json<ErrorReply>().error).toMatchObject({
      code: 'rate_limit_exceeded',
      param: 'rpm',
      key_id: key.id,
    });
    const status = await daemon.call('GET', '/v1/rate-limit', { token: key.key });
    expect(status.json()).toMatchObject({ limit: 2, remaining: 0, budget: { rpm: 2 } });
    const other = await daemon.chat({});
    expect([other.status, other.headers['x-ratelimit-limit-rpm']]).toEqual([200, '1000000000']);
    const plain = await daemon.call('GET', '/v1/rate-limit', { token: daemon.key });
    expect(plain.json()).not.toHaveProperty('budget');
  });

  test('ends a growing answer, streamed or not, and says why', async () => {
    const daemon = await daemonWith({ m: await endlessModel() });
    const key = await create(daemon, { tokens_per_month: 60 });
    const answer = await ask(daemon, key, { max_tokens: 2000 });
    expect(answer.json()).toMatchObject({
      choices: [{ finish_reason: 'length', stop_detail: 'insufficient_quota' }],
    });
    const { total_tokens: total } = answer.json<{ usage: { total_tokens: number } }>().usage;
    // An engine is some tokens ahead when it is stopped.
    expect(total).toBeLessThan(200);
    expect(await budgetOf(daemon, key.id)).toMatchObject({ tokens_per_month: 60, tokens_used: total });
    expect((await ask(daemon, key)).status).toBe(429);
    await update(daemon, key.id, { tokens_per_month: null, credits_per_month: 0.00005 });
    daemon.sdk.apiKey = key.key;
    const stream = await daemon.sdk.chat.completions.create({
      model: 'm',
      messages: hello,
      max_tokens: 8000,
      stream: true,
    });
    const last = (await collect(stream)).at(-1)?.choices[0];
    expect(last).toMatchObject({ finish_reason: 'length', stop_detail: 'spending_limit_reached' });
    const spent = (await budgetOf(daemon, key.id))?.credits_used ?? 1;
    expect(spent).toBeLessThanOrEqual(0.00005);
    expect(spent).toBeGreaterThan(0.000049);
  });

  test('never passes, however many arrive at once', async () => {
    const daemon = await daemonWith({ m: await endlessModel() });
    const key = await create(daemon, { credits_per_month: 0.00005 });
    const answers = Array.from({ length: 20 }, () => ask(daemon, key, { max_tokens: 50 }));
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 402]));
    const budget = await budgetOf(daemon, key.id);
    expect(budget?.credits_used).toBeLessThanOrEqual(0.00005);
    expect(budget?.credits_used).toBeGreaterThan(0.00003);
  });
});
