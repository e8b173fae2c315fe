import { describe, expect, test } from 'vitest';
import { auditLedger } from '../../../../src/wallet/audit.ts';
import { collect, daemonWith, hello, type ChatDaemon } from '../../../helpers/daemon/chat.ts';
import { scriptedModel } from '../../../helpers/models/models.ts';
import { wordEmbedder } from '../../../helpers/models/text-models.ts';
import {
  scriptedServer,
  sendChunk,
  sendJson,
  type Answer,
} from '../../../helpers/servers/scripted-server.ts';

const MODEL = 'svc-chat-v1';

/** `big` is run by a server that answers like this; `small`, its fallback, here. */
async function withFallback(answer: Answer) {
  const server = await scriptedServer(answer);
  const daemon = await daemonWith({ small: await scriptedModel('Small, but here.') });
  const upstream = { id: 'big', base_urls: [`${server.url}/v1`], model: 'big', tasks: ['chat'] };
  expect((await daemon.call('POST', '/api/daemon/upstreams', { body: upstream })).status).toBe(201);
  const bound = await bind(daemon, { service: MODEL, artifact: 'big', fallbacks: ['small'] });
  expect(bound.json()).toEqual({ service: MODEL, artifact: 'big', fallbacks: ['small'] });
  return { daemon, seen: server.seen };
}

function bind({ call }: Pick<ChatDaemon, 'call'>, body: Record<string, unknown>) {
  return call('POST', '/api/daemon/bind', { body });
}

const isDown: Answer = (_, response) => sendJson(response, 503, { error: { message: 'maintenance' } });

describe('a service with a fallback', () => {
  test('answers while its server is down, says so, and is charged once', async () => {
    const { daemon } = await withFallback(isDown);
    const answer = await daemon.chat({ model: MODEL });
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ choices: [{ message: { content: 'Small, but here.' } }] });
    expect(answer.headers).toMatchObject({ 'x-askd-artifact': 'small' });
    expect(answer.headers['x-askd-fallback']).toMatch(/^big: .*maintenance/);
    const { store } = daemon.services;
    expect(auditLedger(store).findings).toEqual([]);
    expect(store.prepare('SELECT model, artifact, outcome FROM usage').all()).toEqual([
      { model: MODEL, artifact: 'small', outcome: 'finished' },
    ]);
    expect(store.prepare('SELECT state FROM holds ORDER BY created_at').all()).toHaveLength(2);
    expect(store.prepare("SELECT count(*) AS open FROM holds WHERE state = 'open'").all()).toEqual([
      { open: 0 },
    ]);
    const started = store.prepare("SELECT count(*) AS started FROM events WHERE type = 'chat.started'").all();
    expect(started).toEqual([{ started: 1 }]);
    expect((await daemon.call('GET', '/metrics', { token: daemon.key })).text).toContain(
      'askd_model_fallbacks_total{model="big",fallback="small",code="upstream_unavailable"} 1',
    );
  });

  test('streams the whole answer of its fallback', async () => {
    const { daemon } = await withFallback(isDown);
    const chunks = await collect(
      await daemon.sdk.chat.completions.create({ model: MODEL, messages: hello, stream: true }),
    );
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('Small, but here.');
  });

  test('never changes the model in the middle of an answer', async () => {
    const { daemon } = await withFallback((_, response) => {
      sendChunk(response, 'Half an ans');
      setImmediate(() => response.destroy());
    });
    const answer = await daemon.chat({ model: MODEL });
    expect(answer.json()).toMatchObject({ error: { code: 'upstream_failed' } });
    expect(answer.text).not.toContain('Small');
  });

  test('passes on an error of the request', async () => {
    const { daemon } = await withFallback((_, response) =>
      sendJson(response, 400, { error: { message: 'no such thing', code: 'invalid_value' } }),
    );
    const answer = await daemon.chat({ model: MODEL });
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ error: { message: 'no such thing' } });
  });
});

describe('fallbacks', () => {
  test('are shown with the service and with the model', async () => {
    const { daemon } = await withFallback(isDown);
    const shown = await daemon.call('GET', `/v1/models/${MODEL}`, { token: daemon.key });
    expect(shown.json()).toMatchObject({ local: { artifact: 'big', fallbacks: ['small'] } });
    const { artifacts } = (await daemon.call('GET', '/api/daemon/artifacts')).json<{
      artifacts: { id: string; fallback_for: string[] }[];
    }>();
    expect(artifacts.find(({ id }) => id === 'small')?.fallback_for).toEqual([MODEL]);
  });

  test('stay when another model is bound, and are removed on request', async () => {
    const { daemon } = await withFallback(isDown);
    expect((await bind(daemon, { service: MODEL, artifact: 'big' })).json()).toMatchObject({
      fallbacks: ['small'],
    });
    expect((await bind(daemon, { service: MODEL, artifact: 'small' })).json()).not.toHaveProperty(
      'fallbacks',
    );
    await bind(daemon, { service: MODEL, artifact: 'big', fallbacks: ['small'] });
    const cleared = await bind(daemon, { service: MODEL, artifact: 'big', fallbacks: [] });
    expect(cleared.json()).not.toHaveProperty('fallbacks');
    expect((await daemon.chat({ model: MODEL })).status).toBe(503);
  });

  test('are refused where they cannot help', async () => {
    const { daemon } = await withFallback(isDown);
    const self = await bind(daemon, { service: MODEL, artifact: 'big', fallbacks: ['big'] });
    expect(self.json()).toMatchObject({ error: { code: 'invalid_value', param: 'fallbacks' } });
    const { path } = await wordEmbedder();
    await daemon.services.library.importArtifact({ id: 'vectors', path, mode: 'link' });
    const embed = { service: 'svc-embed-v1', artifact: 'vectors', fallbacks: ['vectors'] };
    expect((await bind(daemon, embed)).json()).toMatchObject({
      error: { message: expect.stringContaining('vectors of two models cannot be compared') },
    });
  });

  test('are not removed unless forced', async () => {
    const { daemon } = await withFallback(isDown);
    const remove = (body: Record<string, unknown>) =>
      daemon.call('POST', '/api/daemon/remove', { body: { model: 'small', ...body } });
    expect((await remove({})).json()).toMatchObject({ error: { code: 'model_in_use' } });
    expect(daemon.services.library.fallbacksOf(MODEL)).toEqual(['small']);
  });
});
