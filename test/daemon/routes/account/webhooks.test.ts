import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import OpenAI from 'openai';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Value } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import {
  WEBHOOK_EVENT_TYPES,
  WEBHOOK_EVENTS,
  webhookBody,
} from '../../../../src/api/account/webhook-events.ts';
import type { Webhook } from '../../../../src/api/account/webhooks.ts';
import { makeCertificates } from '../../../../scripts/fixtures/certificates.ts';
import { daemonWith, eventually } from '../../../helpers/daemon/chat.ts';
import { startDaemon } from '../../../helpers/daemon/daemon.ts';
import { HOSTILE_URLS } from '../../../helpers/servers/hostile-urls.ts';
import { scriptedModel } from '../../../helpers/models/models.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';
import { receiver } from '../../../helpers/servers/webhooks.ts';

type Created = { webhook: Webhook; secret: string };

const PUBLIC_URL = 'https://93.184.215.14/hook';
const LOOPBACK = { ASKD_WEBHOOKS_ALLOW_CIDRS: '127.0.0.0/8' };

test('a webhook is created, listed, changed and removed as the API documents', async () => {
  const { call } = await startDaemon();
  const body = { name: 'app', url: PUBLIC_URL, events: ['chat.completed'] };
  const created = await call('POST', '/api/webhooks', { body });
  expect({ status: created.status, cache: created.headers['cache-control'] }).toEqual({
    status: 201,
    cache: 'no-store',
  });
  const { webhook, secret } = created.json<Created>();
  expect(webhook).toMatchObject({ ...body, enabled: true });
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);

  const listed = await call('GET', '/api/webhooks');
  expect(listed.json()).toEqual({ webhooks: [webhook] });
  expect(listed.text).not.toContain(secret);
  expect((await call('GET', `/api/webhooks/${webhook.id}`)).json()).toEqual({ webhook });

  const changes = { name: 'other', events: ['chat.started', 'api_key.created'], enabled: false };
  const changed = (await call('PATCH', `/api/webhooks/${webhook.id}`, { body: changes })).json<Created>()
    .webhook;
  expect(changed).toMatchObject({ ...changes, url: PUBLIC_URL, created_at: webhook.created_at });
  expect(Date.parse(changed.updated_at)).toBeGreaterThan(Date.parse(webhook.updated_at));

  const rotated = (await call('POST', `/api/webhooks/${webhook.id}/rotate-secret`)).json<Created>();
  expect(rotated.secret).not.toBe(secret);
  expect((await call('DELETE', `/api/webhooks/${webhook.id}`)).json()).toEqual({ success: true });
  const gone = await call('GET', `/api/webhooks/${webhook.id}`);
  expect([gone.status, gone.json()]).toMatchObject([404, { error: { code: 'not_found' } }]);
});

test.each([
  [{ url: PUBLIC_URL, events: ['chat.started'] }, 'missing_required_parameter', 'name'],
  [{ name: '', url: PUBLIC_URL, events: ['chat.started'] }, 'invalid_value', 'name'],
  [{ name: 'x', events: ['chat.started'] }, 'missing_required_parameter', 'url'],
  [{ name: 'x', url: PUBLIC_URL }, 'missing_required_parameter', 'events'],
  [{ name: 'x', url: PUBLIC_URL, events: [] }, 'invalid_value', 'events'],
  [{ name: 'x', url: PUBLIC_URL, events: ['chat.exploded'] }, 'invalid_value', 'events[0]'],
  [
    { name: 'x', url: PUBLIC_URL, events: ['chat.started'], secret: 'mine' },
    'unsupported_parameter',
    'secret',
  ],
  [{ name: 'x', url: 'http://93.184.215.14/', events: ['chat.started'] }, 'invalid_webhook_url', 'url'],
])('the body %j is refused with %s for %s', async (body, code, param) => {
  const { call } = await startDaemon();
  const reply = await call('POST', '/api/webhooks', { body });
  expect([reply.status, reply.json()]).toMatchObject([400, { error: { code, param } }]);
});

test('every hostile address is refused when a webhook is created and when it is changed', async () => {
  const { call } = await startDaemon();
  const body = { name: 'x', url: PUBLIC_URL, events: ['chat.started'] };
  const { webhook } = (await call('POST', '/api/webhooks', { body })).json<Created>();
  for (const [what, url] of HOSTILE_URLS) {
    for (const [method, path] of [
      ['POST', '/api/webhooks'],
      ['PATCH', `/api/webhooks/${webhook.id}`],
    ] as const) {
      const reply = await call(method, path, { body: method === 'POST' ? { ...body, url } : { url } });
      expect([what, method, reply.status]).toEqual([what, method, 400]);
    }
  }
  expect((await call('GET', '/api/webhooks')).json<{ webhooks: Webhook[] }>().webhooks).toEqual([webhook]);
});

test('the API cannot open a private network, and an API key does not manage webhooks', async () => {
  const { call, key } = await startDaemon();
  const body = { name: 'x', url: 'http://127.0.0.1:4000/', events: ['chat.started'] };
  for (const extra of [{}, { webhooks_allow_cidrs: ['127.0.0.0/8'] }, { listener_port: 4000 }]) {
    expect((await call('POST', '/api/webhooks', { body: { ...body, ...extra } })).status).toBe(400);
  }
  expect((await call('GET', '/api/webhooks', { token: key })).status).toBe(401);
});

describe('events of a session', () => {
  test('of a chat and of keys arrive in the published shapes, over TLS, and both SDKs verify them', async () => {
    const certificates = makeCertificates();
    const hook = await receiver({ certificates });
    const ca = join(temporaryFolder(), 'ca.pem');
    writeFileSync(ca, certificates.ca);
    const env = { ...LOOPBACK, ASKD_WEBHOOKS_CA: ca };
    const { call, chat } = await daemonWith({ m: await scriptedModel('The secret word.') }, env);
    const body = { name: 'all', url: hook.url, events: WEBHOOK_EVENT_TYPES };
    const { secret } = (await call('POST', '/api/webhooks', { body })).json<Created>();
    await chat({ messages: [{ role: 'user', content: 'A private question' }] });
    const key = (await call('POST', '/api/keys', { body: { name: 'k' } })).json<{
      id: string;
      key: string;
    }>();
    await call('DELETE', `/api/keys/${key.id}`);
    await eventually(() => hook.types().sort()).toEqual([
      'api_key.created',
      'api_key.deleted',
      'chat.completed',
      'chat.started',
    ]);
    const sdk = new OpenAI({ apiKey: 'none' });
    for (const { body: text, headers, event } of hook.deliveries) {
      expect(new StandardWebhook(secret).verify(text, headers)).toEqual(event);
      expect(await sdk.webhooks.unwrap(text, headers, secret)).toEqual(event);
      const schema = webhookBody(event.type, WEBHOOK_EVENTS[event.type as keyof typeof WEBHOOK_EVENTS].data);
      expect([...Value.Errors(schema, event)]).toEqual([]);
      for (const private_ of ['secret word', 'private question', key.key])
        expect(text).not.toContain(private_);
    }
  });

  test.each(WEBHOOK_EVENT_TYPES)(
    'a made-up %s has the published shape and says that it is a test',
    async (type) => {
      const hook = await receiver();
      const { call } = await startDaemon(LOOPBACK);
      await call('POST', '/api/webhooks', { body: { name: 'x', url: hook.url, events: [type] } });
      await call('POST', '/api/daemon/webhooks/trigger', { body: { type } });
      await eventually(() => hook.types()).toEqual([type]);
      const { event } = hook.deliveries[0] ?? {};
      expect([...Value.Errors(webhookBody(type, WEBHOOK_EVENTS[type].data), event)]).toEqual([]);
      expect(event?.data).toMatchObject({ test: true });
    },
  );
});

test('deliveries are listed page by page, shown with their attempts, sent again and replayed', async () => {
  const hook = await receiver();
  const { call } = await startDaemon(LOOPBACK);
  const body = { name: 'x', url: hook.url, events: ['api_key.created'] };
  const { webhook } = (await call('POST', '/api/webhooks', { body })).json<Created>();
  const path = `/api/webhooks/${webhook.id}`;
  for (let index = 0; index < 3; index++)
    await call('POST', '/api/daemon/webhooks/trigger', { body: { type: 'api_key.created' } });
  await eventually(() => hook.deliveries.length).toBe(3);
  type Page = { deliveries: { event_id: string; state: string }[]; has_more: boolean };
  const page = (query: string) =>
    call('GET', `${path}/deliveries?${query}`).then((reply) => reply.json<Page>());
  await eventuallyAsync(async () => (await page('state=delivered')).deliveries.length === 3);
  const first = await page('limit=2');
  expect([first.deliveries.length, first.has_more]).toEqual([2, true]);
  const second = await page(`limit=2&before=${first.deliveries[1]?.event_id}`);
  expect([second.deliveries.length, second.has_more]).toEqual([1, false]);
  const id = second.deliveries[0]?.event_id ?? '';
  const resent = await call('POST', `${path}/deliveries/${id}/resend`);
  expect(resent.json()).toMatchObject({
    delivery: {
      event_id: id,
      body: hook.deliveries.find(({ headers }) => headers['webhook-id'] === id)?.body,
      attempts: [
        { cause: 'schedule', status: 200 },
        { cause: 'resend', status: 200 },
      ],
    },
  });
  expect((await call('GET', `${path}/deliveries/evt_none`)).status).toBe(404);
  const replayed = await call('POST', `${path}/replay`, { body: { since: '2001-01-01T00:00:00Z' } });
  // The key of this test was created before the webhook was, so none is due to it.
  expect(replayed.json()).toEqual({ queued: 1 });
  expect((await call('POST', `${path}/test`)).json()).toMatchObject({
    delivery: { type: 'webhook.test', state: 'delivered', attempts: [{ cause: 'test', status: 200 }] },
  });
});

test('the status shows webhooks that were switched off, and a notice says why', async () => {
  const hook = await receiver({ behave: (_delivery, response) => void response.writeHead(410).end() });
  const { call, services } = await startDaemon(LOOPBACK);
  const body = { name: 'old app', url: hook.url, events: ['api_key.created'] };
  const { webhook } = (await call('POST', '/api/webhooks', { body })).json<Created>();
  await call('POST', '/api/daemon/webhooks/trigger', { body: { type: 'api_key.created' } });
  type Status = { webhooks: { disabled: unknown[] } };
  await eventuallyAsync(
    async () => (await call('GET', '/api/daemon/status')).json<Status>().webhooks.disabled.length === 1,
  );
  expect((await call('GET', '/api/daemon/status')).json()).toMatchObject({
    webhooks: {
      state: 'delivering',
      enabled: 0,
      disabled: [{ id: webhook.id, name: 'old app', reason: 'gone' }],
    },
  });
  expect(services.notices.list('acct_local')).toMatchObject([
    { kind: 'webhook_disabled', message: expect.stringContaining(`askd webhooks resume ${webhook.id}`) },
  ]);
});

test('the OpenAPI document shows every event under its name', async () => {
  const { call } = await startDaemon();
  const { webhooks } = (await call('GET', '/openapi.json')).json<{ webhooks: Record<string, object> }>();
  expect(Object.keys(webhooks)).toEqual(WEBHOOK_EVENT_TYPES);
  expect(webhooks['chat.completed']).toMatchObject({
    post: { requestBody: { content: { 'application/json': { example: { type: 'chat.completed' } } } } },
  });
});

async function eventuallyAsync(holds: () => Promise<boolean>): Promise<void> {
  await expect.poll(holds, { timeout: 30_000, interval: 20 }).toBe(true);
}
