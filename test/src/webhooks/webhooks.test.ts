import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { makeCertificates } from '../../../scripts/fixtures/certificates.ts';
import { eventually } from '../../helpers/daemon/chat.ts';
import { settableClock } from '../../helpers/clock.ts';
import { answers } from '../../helpers/servers/receiver.ts';
import { ACCOUNT, openWebhooks, receiver } from '../../helpers/servers/webhooks.ts';

describe('a delivery', () => {
  test('arrives over TLS, signed, with the recorded event', async () => {
    const certificates = makeCertificates();
    const hook = await receiver({ certificates });
    const { add, record, worker, states } = openWebhooks({ ca: certificates.ca });
    const { webhook, secret } = await add(hook.url);
    worker.start();
    record('laptop');
    await eventually(() => states(webhook.id)).toEqual(['delivered']);
    const [delivery] = hook.deliveries;
    expect(delivery?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^askd\//),
      'webhook-id': expect.stringMatching(/^evt_[0-9A-Z]{26}$/),
    });
    expect(new Webhook(secret).verify(delivery?.body ?? '', delivery?.headers ?? {})).toMatchObject({
      type: 'api_key.deleted',
      data: { name: 'laptop' },
    });
  });

  test('that fails is retried with the same id and body, and a new signature', async () => {
    const hook = await receiver();
    hook.behaves(
      (_delivery, response) => void response.writeHead(hook.deliveries.length < 3 ? 500 : 200).end(),
    );
    const { add, record, worker, log, attempts } = openWebhooks();
    const { webhook } = await add(hook.url);
    worker.start();
    record();
    await eventually(() => hook.deliveries.length).toBe(3);
    await eventually(() => log.list(webhook.id, { limit: 1 }).deliveries[0]?.state).toBe('delivered');
    expect(new Set(hook.ids()).size).toBe(1);
    expect(new Set(hook.deliveries.map(({ body }) => body)).size).toBe(1);
    const found = log.find(webhook.id, hook.ids()[0] ?? '');
    expect(found?.attempts.map(({ status }) => status)).toEqual([500, 500, 200]);
    expect(attempts()).toEqual({ delivered: 1, failed: 0, pending: 2 });
  });

  test('that always fails is given up on after its last wait', async () => {
    const hook = await receiver({ behave: answers(500, {}, 'no \u0007 whsec_AAAAAAAAAAAAAAAA') });
    const { add, record, worker, log, states } = openWebhooks({ waitsMs: [10] });
    const { webhook } = await add(hook.url);
    worker.start();
    record();
    await eventually(() => states(webhook.id)).toEqual(['failed']);
    const attempts = log.find(webhook.id, hook.ids()[0] ?? '')?.attempts;
    expect(attempts).toHaveLength(2);
    expect(attempts?.[0]?.snippet).toBe('no  whsec_[redacted]');
  });

  test('never follows a redirect', async () => {
    const inside = await receiver();
    const hook = await receiver({ behave: answers(307, { location: inside.url }) });
    const { add, record, worker, states } = openWebhooks({ waitsMs: [10] });
    const { webhook } = await add(hook.url);
    worker.start();
    record();
    await eventually(() => states(webhook.id)).toEqual(['failed']);
    expect(inside.deliveries).toEqual([]);
  });

  test('goes only to subscribed endpoints, and only for later events', async () => {
    const hook = await receiver();
    const { add, record, worker, states, events, store } = openWebhooks();
    record('before');
    const { webhook: first } = await add(hook.url, ['api_key.created']);
    const { webhook: second } = await add(hook.url);
    worker.start();
    record('after');
    store.transaction(() => events.record('chat.started', { request_id: 'r', model: 'm', stream: false }));
    await eventually(() => states(second.id)).toEqual(['delivered']);
    expect(states(first.id)).toEqual([]);
    expect(hook.deliveries.map(({ event }) => event.data)).toMatchObject([{ name: 'after' }]);
  });

  test('arrives in order when nothing fails', async () => {
    const hook = await receiver();
    const { add, record, worker } = openWebhooks();
    await add(hook.url);
    for (let index = 0; index < 20; index++) record(String(index));
    worker.start();
    await eventually(() => hook.deliveries.length).toBe(20);
    const ids = hook.ids();
    expect([...ids].sort()).toHaveLength(20);
  });
});

test('a receiver that hangs holds up nobody else', async () => {
  const hanging = await receiver({ behave: () => undefined });
  const hook = await receiver();
  const { add, record, worker } = openWebhooks();
  for (let index = 0; index < 30; index++) await add(hanging.url);
  await add(hook.url);
  worker.start();
  for (let index = 0; index < 50; index++) record();
  await eventually(() => hook.deliveries.length).toBe(50);
  expect(hanging.deliveries.length).toBeLessThanOrEqual(30 * 8);
});

describe('an endpoint', () => {
  test('that answers 410 is switched off at once', async () => {
    const hook = await receiver({ behave: answers(410) });
    const { add, record, worker, endpoints, disabled } = openWebhooks();
    const { webhook } = await add(hook.url);
    worker.start();
    record();
    await eventually(() => disabled).toEqual([
      { id: webhook.id, accountId: ACCOUNT, name: 'receiver', reason: 'gone' },
    ]);
    expect(endpoints.get(ACCOUNT, webhook.id)).toMatchObject({ enabled: false, disabled_reason: 'gone' });
    record();
    hook.behaves(answers(200));
    await endpoints.update(ACCOUNT, webhook.id, { enabled: true });
    await eventually(() => hook.deliveries.length).toBe(2);
    expect(endpoints.get(ACCOUNT, webhook.id)).toMatchObject({ enabled: true, disabled_reason: null });
  });

  test('that is paused gets what fell due in the last day when it is resumed', async () => {
    const clock = settableClock();
    const hook = await receiver();
    const { add, record, endpoints, worker, prune, states } = openWebhooks({ clock });
    const { webhook } = await add(hook.url);
    await endpoints.update(ACCOUNT, webhook.id, { enabled: false });
    worker.start();
    record('old');
    await eventually(() => states(webhook.id)).toEqual(['pending']);
    clock.advance(23 * 3_600_000);
    record('young');
    await eventually(() => states(webhook.id)).toEqual(['pending', 'pending']);
    clock.advance(2 * 3_600_000);
    prune();
    expect(states(webhook.id)).toEqual(['pending', 'expired']);
    await endpoints.update(ACCOUNT, webhook.id, { enabled: true });
    await eventually(() => states(webhook.id)).toEqual(['delivered', 'expired']);
    expect(hook.deliveries.map(({ event }) => event.data)).toMatchObject([{ name: 'young' }]);
  });

  test('that is removed gets nothing more, and leaves nothing behind', async () => {
    const hook = await receiver({ behave: answers(500) });
    const { add, record, worker, endpoints, prune, store } = openWebhooks();
    const { webhook } = await add(hook.url);
    worker.start();
    record();
    await eventually(() => hook.deliveries.length).toBeGreaterThan(0);
    endpoints.remove(ACCOUNT, webhook.id);
    await worker.stop();
    expect(() => endpoints.get(ACCOUNT, webhook.id)).toThrow(/no webhook/);
    while (prune());
    for (const table of ['webhook_endpoints', 'webhook_deliveries', 'webhook_attempts']) {
      expect(store.prepare(`SELECT count(*) AS n FROM ${table}`).get()).toEqual({ n: 0 });
    }
  });

  test('that is removed while a delivery is on its way holds up nobody else', async () => {
    let answer = (): void => undefined;
    const slow = await receiver({ behave: (_delivery, response) => void (answer = () => response.end()) });
    const hook = await receiver();
    const { add, record, worker, endpoints, prune, bugs } = openWebhooks();
    const { webhook } = await add(slow.url);
    await add(hook.url);
    worker.start();
    record('first');
    await eventually(() => [slow.deliveries.length, hook.deliveries.length]).toEqual([1, 1]);
    endpoints.remove(ACCOUNT, webhook.id);
    while (prune());
    answer();
    await worker.settled();
    record('second');
    await eventually(() => hook.deliveries.length).toBe(2);
    expect(bugs).toEqual([]);
  });

  test('signs with its old and its new secret for a day after a rotation', async () => {
    const clock = settableClock(Date.now());
    const hook = await receiver();
    const { add, endpoints, manual } = openWebhooks({ clock });
    const { webhook, secret: old } = await add(hook.url);
    const { secret: fresh } = endpoints.rotate(ACCOUNT, webhook.id);
    const signaturesOfTest = async () => {
      await manual.test(ACCOUNT, webhook.id, new AbortController().signal);
      return hook.deliveries.at(-1);
    };
    const during = await signaturesOfTest();
    for (const secret of [old, fresh]) new Webhook(secret).verify(during?.body ?? '', during?.headers ?? {});
    clock.advance(24 * 3_600_000 + 1);
    const after = await signaturesOfTest();
    expect(after?.headers['webhook-signature']?.split(' ')).toHaveLength(1);
  });

  test('keeps its secret unreadable in the database', async () => {
    const hook = await receiver();
    const { add, store } = openWebhooks();
    const { secret } = await add(hook.url);
    const row = JSON.stringify(store.prepare('SELECT * FROM webhook_endpoints').all());
    expect(row).not.toContain(secret);
    expect(row).not.toContain(Buffer.from(secret.slice(6), 'base64').toString('hex'));
  });

  test('cannot be created beyond one hundred', async () => {
    const { add } = openWebhooks();
    for (let index = 0; index < 100; index++) await add('https://127.0.0.1/');
    await expect(add('https://127.0.0.1/')).rejects.toMatchObject({ code: 'webhook_limit_reached' });
  });

  test('whose secret no longer opens fails, and the others do not', async () => {
    const hook = await receiver();
    const { add, record, worker, store, states, log } = openWebhooks({ waitsMs: [] });
    const { webhook: broken } = await add(hook.url);
    const { webhook: whole } = await add(hook.url);
    store.prepare(`UPDATE webhook_endpoints SET secret = x'00' WHERE id = ?`).run(broken.id);
    worker.start();
    record();
    await eventually(() => states(whole.id)).toEqual(['delivered']);
    await eventually(() => states(broken.id)).toEqual(['failed']);
    expect(log.find(broken.id, hook.ids()[0] ?? '')?.attempts).toMatchObject([
      { error: 'secret_unreadable' },
    ]);
  });
});

test('a listener on this machine is served while its connection is open, always with the same secret', async () => {
  const hook = await receiver();
  const { listeners, record, worker, endpoints } = openWebhooks({ allowCidrs: [] });
  worker.start();
  const listener = listeners.listen(ACCOUNT, { port: hook.port, events: ['api_key.deleted'] });
  record();
  await eventually(() => hook.deliveries.length).toBe(1);
  const { headers = {}, body = '' } = hook.deliveries[0] ?? {};
  new Webhook(listeners.secret()).verify(body, headers);
  expect(endpoints.list(ACCOUNT)).toEqual([]);
  listener.close();
  record();
  const again = listeners.listen(ACCOUNT, { port: hook.port, events: ['api_key.deleted'] });
  record('last');
  await eventually(() => hook.deliveries.length).toBe(2);
  expect(hook.deliveries[1]?.event.data).toMatchObject({ name: 'last' });
  again.close();
});

test('deliveries older than thirty days are deleted, and those still due stay', async () => {
  const clock = settableClock(Date.now());
  const hook = await receiver();
  const { add, record, worker, store, prune, states } = openWebhooks({ clock });
  const { webhook } = await add(hook.url);
  worker.start();
  record('old');
  await eventually(() => states(webhook.id)).toEqual(['delivered']);
  clock.advance(30 * 24 * 3_600_000 + 1);
  record('young');
  await eventually(() => states(webhook.id)).toEqual(['delivered', 'delivered']);
  while (prune());
  expect(states(webhook.id)).toEqual(['delivered']);
  expect(store.prepare('SELECT count(*) AS n FROM events').get()).toEqual({ n: 1 });
});
