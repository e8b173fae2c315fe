import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  busy,
  collect,
  daemonWith,
  eventually,
  hello,
  openDaemonWith,
} from '../../../helpers/daemon/chat.ts';
import { endlessModel } from '../../../helpers/models/models.ts';

describe('a client that disconnects', () => {
  test.each([true, false])('frees its slot within a token (stream: %s)', async (stream) => {
    const { sdk, services } = await daemonWith({ m: await endlessModel() });
    const controller = new AbortController();
    const body = { model: 'm', messages: hello, max_tokens: 8000 };
    const leaving = (async () => {
      const answer = await sdk.chat.completions.create({ ...body, stream }, { signal: controller.signal });
      if ('controller' in answer) await collect(answer);
    })();
    await eventually(() => busy({ services })).toBe(1);
    controller.abort();
    await leaving.catch(() => undefined);
    await eventually(() => busy({ services })).toBe(0);
    const [usage] = services.store.prepare<Record<string, number | string>>('SELECT * FROM usage').all();
    expect(usage).toMatchObject({ outcome: 'disconnected' });
    expect(usage?.['completion_tokens']).toBeLessThan(7000);
    const chats = () =>
      readFileSync(services.settings.paths.log, 'utf8')
        .split('\n')
        .filter((line) => line.includes('/v1/chat/completions'))
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    await eventually(() => chats().map(({ client_left: left }) => left)).toEqual([true]);
    // Nobody was told a status who left before the headers.
    expect(stream || !('status' in (chats()[0] ?? {}))).toBe(true);
  });

  test('just before the first byte frees its slot too', async () => {
    const controller = new AbortController();
    const leaveBeforeAnswer = (server: FastifyInstance) =>
      server.addHook('onSend', async (_request, reply) => {
        const closed = once(reply.raw, 'close');
        controller.abort();
        await closed;
      });
    const daemon = await openDaemonWith({ m: await endlessModel() }, {}, leaveBeforeAnswer);
    onTestFinished(daemon.close);
    const body = { model: 'm', messages: hello, max_tokens: 8000, stream: true as const };
    const answer = daemon.sdk.chat.completions.create(body, { signal: controller.signal });
    await expect(answer).rejects.toThrow();
    await eventually(() => busy(daemon)).toBe(0);
    const usage = daemon.services.store.prepare('SELECT outcome FROM usage').all();
    expect(usage).toEqual([{ outcome: 'disconnected' }]);
  });

  test('while waiting for a slot leaves the queue', async () => {
    const { sdk, services } = await daemonWith({ m: await endlessModel() }, { ASKD_MODEL_SLOTS: '1' });
    const body = { model: 'm', messages: hello, max_tokens: 8000, stream: true as const };
    const first = await sdk.chat.completions.create(body);
    const controller = new AbortController();
    const waiting = sdk.chat.completions.create(body, { signal: controller.signal }).then(
      () => 'answered',
      () => 'left',
    );
    await eventually(() => services.pool.status()[0]?.queued).toBe(1);
    controller.abort();
    expect(await waiting).toBe('left');
    await eventually(() => services.pool.status()[0]?.queued).toBe(0);
    expect(busy({ services })).toBe(1);
    first.controller.abort();
    await eventually(() => busy({ services })).toBe(0);
  });
});

test('more requests than slots and queue hold get 503 with Retry-After', async () => {
  const env = { ASKD_MODEL_SLOTS: '1', ASKD_MODEL_QUEUE_MAX: '1' };
  const { sdk, services, chat } = await daemonWith({ m: await endlessModel() }, env);
  const body = { model: 'm', messages: hello, max_tokens: 8000, stream: true as const };
  const first = await sdk.chat.completions.create(body);
  const controller = new AbortController();
  const second = sdk.chat.completions.create(body, { signal: controller.signal }).catch(() => undefined);
  await eventually(() => services.pool.status()[0]?.queued).toBe(1);
  const refused = await chat({});
  expect([refused.status, refused.json()]).toMatchObject([
    503,
    { error: { code: 'queue_full', type: 'server_error' } },
  ]);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  controller.abort();
  first.controller.abort();
  await second;
});
