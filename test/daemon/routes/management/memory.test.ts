import { describe, expect, test } from 'vitest';
import type { Estimate, LoadedModel } from '../../../../src/api/management/memory.ts';
import type { Model } from '../../../../src/api/management/models.ts';
import { daemonWith, eventually, hello } from '../../../helpers/daemon/chat.ts';
import { endlessModel, scriptedModel } from '../../../helpers/models/models.ts';
import { markerModel, wordEmbedder, wordRanker } from '../../../helpers/models/text-models.ts';

/** A budget with room for one tiny model, but not for two. */
async function budgetForOne(models: Record<string, { path: string }>) {
  const probe = await daemonWith(models, { ASKD_MODEL_CONTEXT_TOKENS: '512' });
  const [id] = Object.keys(models);
  const { measured_bytes: measured } = await loadAndEstimate(probe, id ?? '');
  return String(Math.round((measured ?? 0) * 1.5));
}

async function loadAndEstimate(
  { call }: Pick<Awaited<ReturnType<typeof daemonWith>>, 'call'>,
  model: string,
) {
  expect((await call('POST', '/api/daemon/load', { body: { model } })).status).toBe(200);
  return (await call('POST', '/api/daemon/estimate', { body: { model } })).json<Estimate>();
}

describe('two models with memory for one', () => {
  test(
    'alternate without a failed request, asked in turn and concurrently',
    // It loads a model eleven times.
    { timeout: 300_000 },
    async () => {
      const models = { left: await scriptedModel('I am left.'), right: await scriptedModel('I am right.') };
      const env = { ASKD_MODEL_CONTEXT_TOKENS: '512', ASKD_MEMORY_BUDGET_BYTES: await budgetForOne(models) };
      const { sdk, services } = await daemonWith(models, env);
      const ask = async (model: 'left' | 'right') => {
        const answer = await sdk.chat.completions.create({ model, messages: hello });
        expect(answer.choices[0]?.message.content).toBe(models[model].text);
      };
      for (let turn = 0; turn < 4; turn++) {
        await ask('left');
        expect(services.pool.status().filter(({ state }) => state === 'loaded')).toHaveLength(1);
        await ask('right');
      }
      await Promise.all(Array.from({ length: 12 }, (_, index) => ask(index % 2 === 0 ? 'left' : 'right')));
      const reasons = services.store
        .prepare<{ reason: string }>(
          `SELECT data ->> 'reason' AS reason FROM events WHERE type = 'model.unloaded'`,
        )
        .all();
      expect(reasons.length).toBeGreaterThanOrEqual(7);
      expect(new Set(reasons.map(({ reason }) => reason))).toEqual(new Set(['evicted']));
    },
  );
});

describe('a model in memory', () => {
  test(
    'is unloaded after its time, and an explicit load may choose another',
    { timeout: 120_000 },
    async () => {
      const { services, call, chat } = await daemonWith(
        { m: await scriptedModel('Hello.') },
        { ASKD_KEEP_ALIVE: '300ms' },
      );
      expect((await chat({})).status).toBe(200);
      await eventually(() => services.pool.status()).toEqual([]);
      const pinned = await call('POST', '/api/daemon/load', { body: { model: 'm', pin: true } });
      expect(pinned.json()).toMatchObject({ state: 'loaded', pinned: true, expires_at: null, device: 'cpu' });
      const kept = await call('POST', '/api/daemon/load', { body: { model: 'm', keep_alive: '1h' } });
      const { pinned: isPinned, expires_at: expiresAt } = kept.json<LoadedModel>();
      expect(isPinned).toBe(false);
      expect(Date.parse(expiresAt ?? '') - Date.now()).toBeGreaterThan(3_500_000);
      const shorter = await call('POST', '/api/daemon/load', { body: { model: 'm', keep_alive: '0' } });
      expect(shorter.status).toBe(200);
      await eventually(() => services.pool.status()).toEqual([]);
    },
  );

  test.each([
    [{ keep_alive: 'soon' }, 'keep_alive'],
    [{ keep_alive: '1h', pin: true }, 'pin'],
    [{ ttl: '1h' }, 'ttl'],
  ])('is not kept for %j', async (keep, param) => {
    const { call } = await daemonWith({ m: await scriptedModel('Hello.') });
    const reply = await call('POST', '/api/daemon/load', { body: { model: 'm', ...keep } });
    expect([reply.status, reply.json()]).toMatchObject([400, { error: { param } }]);
  });

  test('is stated in the answer’s headers and in the events', async () => {
    const { services, chat } = await daemonWith({ m: await scriptedModel('Hello.') });
    for (const stream of [false, true]) {
      const { headers } = await chat({ stream });
      expect(headers).toMatchObject({ 'x-askd-artifact': 'm', 'x-askd-device': 'cpu' });
      expect(headers).not.toHaveProperty('x-askd-fallback');
    }
    expect(services.events.after(0).find(({ type }) => type === 'model.loaded')?.data).toMatchObject({
      artifact: 'm',
      device: 'cpu',
      fallback: null,
      context_tokens: 131_072,
      slots: 4,
      memory_bytes: expect.any(Number) as number,
    });
  });
});

test('every kind of answer says where its model ran', { timeout: 180_000 }, async () => {
  const { call, key: token } = await daemonWith({
    e: await wordEmbedder(),
    r: await wordRanker(),
    g: await markerModel(),
    m: await scriptedModel('Bonjour.'),
  });
  const asked: [string, Record<string, unknown>][] = [
    ['/v1/embeddings', { model: 'e', input: 'the cat' }],
    ['/v1/rerank', { model: 'r', query: 'the cat', documents: ['a dog', 'the cat'] }],
    ['/v1/rerank', { model: 'r', query: 'the cat', documents: ['a dog'], stream: true }],
    ['/v1/moderations', { model: 'g', input: 'a text' }],
    ['/v1/translate', { model: 'm', text: 'Good day.', target_language: 'French' }],
  ];
  for (const [path, body] of asked) {
    const { status, headers } = await call('POST', path, { token, body });
    expect([path, status, headers]).toMatchObject([
      path,
      200,
      { 'x-askd-artifact': body['model'], 'x-askd-device': 'cpu' },
    ]);
  }
});

const SHORT = /^trained for 131,072; 65,536 fit in half of memory_budget_bytes with 4 slots$/;

describe('memory', () => {
  test('that can never be available is refused with what is needed and what there is', async () => {
    const { chat } = await daemonWith(
      { m: await scriptedModel('Hello.') },
      { ASKD_MEMORY_BUDGET_BYTES: '1000000' },
    );
    const { status, headers, json } = await chat({});
    expect([status, headers['x-should-retry']]).toEqual([503, 'false']);
    const { error } = json<{ error: Record<string, unknown> }>();
    expect(error).toMatchObject({ code: 'insufficient_memory', have_bytes: 1_000_000 });
    expect(error['need_bytes']).toBeGreaterThan(50_000_000);
    expect(error['message']).toContain('memory_budget_bytes');
  });

  test('is estimated from the file, close to what is measured after the load', async () => {
    const { call, ...daemon } = await daemonWith({ m: await endlessModel() });
    const before = (await call('POST', '/api/daemon/estimate', { body: { model: 'm' } })).json<Estimate>();
    expect(before).toMatchObject({ measured_bytes: null, fits: true, slots: 4, context_tokens: 131_072 });
    const after = await loadAndEstimate({ call }, 'm');
    expect(after.estimated_bytes).toBe(before.estimated_bytes);
    const ratio = before.estimated_bytes / (after.measured_bytes ?? 0);
    expect(ratio).toBeGreaterThan(0.7);
    expect(ratio).toBeLessThan(1.5);
    expect(daemon.services.pool.status()[0]?.bytes).toBeGreaterThan(0);
  });

  test("is estimated along with this machine's budget and whether the model fits", async () => {
    const { call } = await daemonWith({ m: await endlessModel() }, { ASKD_MEMORY_BUDGET_BYTES: '1000000' });
    const estimate = (await call('POST', '/api/daemon/estimate', { body: { model: 'm' } })).json<Estimate>();
    expect(estimate).toMatchObject({ budget_bytes: 1_000_000, fits: false });
  });

  test('that is short shrinks a context that is not configured, and this is shown everywhere', async () => {
    const models = { m: await endlessModel() };
    const estimate = async (env: Record<string, string>) => {
      const { call } = await daemonWith(models, env);
      return (await call('POST', '/api/daemon/estimate', { body: { model: 'm' } })).json<Estimate>();
    };
    const chosen = await estimate({ ASKD_MODEL_CONTEXT_TOKENS: '65536' });
    expect(chosen.context_reason).toBe('model_context_tokens is 65,536');
    const env = { ASKD_MEMORY_BUDGET_BYTES: String(2 * chosen.estimated_bytes) };
    const { call, chat, services } = await daemonWith(models, env);
    const short = { context_tokens: 65_536, context_reason: expect.stringMatching(SHORT) };
    expect((await call('GET', '/v1/models/m')).json<Model>().local).toMatchObject(short);
    expect((await call('POST', '/api/daemon/load', { body: { model: 'm' } })).json()).toMatchObject(short);
    expect((await call('GET', '/v1/models/m')).json<Model>().local).toMatchObject(short);
    expect(JSON.stringify(services.logTail.after(0))).toMatch(
      /context_reason.{5}trained for 131,072; 65,536 fit/,
    );
    expect((await chat({ max_tokens: 2 })).status).toBe(200);
  });

  test('that is short costs slots before the context that agents need, and no request is refused', async () => {
    const models = { m: await endlessModel() };
    const bytesWith = async (slots: string) => {
      const env = { ASKD_MODEL_CONTEXT_TOKENS: '32768', ASKD_MODEL_SLOTS: slots };
      const { call } = await daemonWith(models, env);
      const reply = await call('POST', '/api/daemon/estimate', { body: { model: 'm' } });
      return reply.json<Estimate>().estimated_bytes;
    };
    const between = Math.round(((await bytesWith('1')) + (await bytesWith('2'))) / 2);
    const { call, chat } = await daemonWith(models, { ASKD_MEMORY_BUDGET_BYTES: String(between) });
    const answers = await Promise.all([1, 2, 3, 4].map(() => chat({ max_tokens: 4 })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { models: loaded } = (await call('GET', '/api/daemon/ps')).json<{ models: LoadedModel[] }>();
    expect(loaded).toMatchObject([{ slots: 1, context_tokens: 32_768 }]);
    expect(loaded[0]?.context_reason).toMatch(/32,768 fit in memory_budget_bytes with 1 of 4 slots$/);
  });

  test('that is too small for a configured context refuses the model', async () => {
    const env = { ASKD_MEMORY_BUDGET_BYTES: '120000000', ASKD_MODEL_CONTEXT_TOKENS: '65536' };
    const { chat } = await daemonWith({ m: await endlessModel() }, env);
    expect((await chat({})).json()).toMatchObject({ error: { code: 'insufficient_memory' } });
  });
});

test('a request that times out while its model loads is answered with the progress', async () => {
  const { chat, services } = await daemonWith(
    { m: await scriptedModel('Hello.') },
    { ASKD_MODEL_WAIT_MS: '1' },
  );
  const { status, headers, json } = await chat({});
  expect(status).toBe(503);
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect(json()).toMatchObject({ error: { code: 'model_loading', progress: expect.any(Number) as number } });
  await eventually(() => services.pool.status()[0]?.state).toBe('loaded');
  expect((await chat({})).status).toBe(200);
});
