import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import type { Webhook } from '../../src/api/account/webhooks.ts';
import { makeCertificates } from '../../scripts/fixtures/certificates.ts';
import { send } from '../helpers/daemon/daemon.ts';
import { install } from '../helpers/daemon/installation.ts';
import type { Receiver } from '../helpers/servers/receiver.ts';
import { temporaryFolder } from '../helpers/temporary.ts';
import { receiver } from '../helpers/servers/webhooks.ts';

const EVENTS = 5_000;
const KILLS = 8;
const CLIENTS = 8;
const HUGE = 'x'.repeat(1_000_000);

test('five thousand events survive a daemon that is killed at any moment and a receiver that often fails', async () => {
  const certificates = makeCertificates();
  const hook = await receiver({ certificates });
  failNowAndThen(hook);
  const { askd, home, presence } = startable(certificates.ca);
  await askd(['up']);
  const added = await askd(['webhooks', 'add', hook.url, '--events', 'api_key.deleted', '--json']);
  const { webhook, secret } = added.json<{ webhook: Webhook; secret: string }>();

  const acknowledged = await recordWhileKilling();
  expect(acknowledged.size).toBe(EVENTS);

  const arrived = () => new Set(hook.ids());
  const missing = () => [...acknowledged].filter((id) => !arrived().has(id));
  await expect.poll(() => missing().length, { timeout: 120_000, interval: 500 }).toBe(0);
  await expect.poll(pending, { timeout: 120_000, interval: 500 }).toBe(0);
  expect(
    (await askd(['webhooks', 'deliveries', webhook.id, '--state', 'failed', '--json'])).json(),
  ).toMatchObject({
    deliveries: [],
  });
  checkDeliveries(hook, secret);

  async function recordWhileKilling(): Promise<Set<string>> {
    const ids = new Set<string>();
    const killAt = Array.from({ length: KILLS }, () => Math.floor(Math.random() * EVENTS)).sort(
      (a, b) => a - b,
    );
    while (ids.size < EVENTS) {
      await askd(['up']);
      const enough = killAt.shift() ?? EVENTS;
      await Promise.all(Array.from({ length: CLIENTS }, () => recordUntil(enough, ids)));
      if (ids.size < EVENTS) kill();
    }
    return ids;
  }

  /** One client; the first of them to reach its count kills the daemon. */
  async function recordUntil(enough: number, ids: Set<string>): Promise<void> {
    while (ids.size < enough) {
      const id = await trigger().catch(() => undefined);
      if (id === undefined) return;
      if (ids.size < EVENTS) ids.add(id);
      if (ids.size >= enough && ids.size < EVENTS) kill();
    }
  }

  /** Without a pid it is dead already, and 0 would be this process group. */
  function kill(): void {
    const pid = presence()?.pid;
    if (pid === undefined) return;
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toBe('ESRCH');
    }
  }

  async function trigger(): Promise<string> {
    const reply = await request('POST', '/api/daemon/webhooks/trigger', '{"type":"api_key.deleted"}');
    return reply.json<{ id: string }>().id;
  }

  async function pending(): Promise<number> {
    const reply = await request('GET', '/api/daemon/status');
    return reply.json<{ webhooks: { pending: number } }>().webhooks.pending;
  }

  function request(method: string, path: string, body?: string) {
    const authorization = `Bearer ${readFileSync(join(home, 'root-token'), 'utf8')}`;
    const headers = { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) };
    return send({ port: presence()?.port ?? 0, method, path, body, headers });
  }
}, 600_000);

function startable(ca: string) {
  const file = join(temporaryFolder(), 'ca.pem');
  writeFileSync(file, ca);
  return install({
    ASKD_WEBHOOKS_ALLOW_CIDRS: '127.0.0.0/8',
    ASKD_WEBHOOKS_CA: file,
    ASKD_WEBHOOKS_RETRY_WAITS_MS: Array(20).fill('300').join(','),
  });
}

/** One request in nine fails, some break off, and some answers are endless. */
function failNowAndThen(hook: Receiver): void {
  hook.behaves((_delivery, response) => {
    const count = hook.deliveries.length;
    if (count % 9 === 0) response.writeHead(500).end('no');
    else if (count % 31 === 0) response.destroy();
    else if (count % 53 === 0) response.writeHead(200).end(HUGE);
    else response.end('ok');
  });
}

/** Every request is signed, and requests with the same id have the same body. */
function checkDeliveries({ deliveries }: Receiver, secret: string): void {
  const bodies = new Map<string, string>();
  const verifier = new StandardWebhook(secret);
  for (const { headers, body } of deliveries) {
    const id = headers['webhook-id'] ?? '';
    expect(bodies.get(id) ?? body).toBe(body);
    bodies.set(id, body);
    const isRecent = Date.now() / 1000 - Number(headers['webhook-timestamp']) < 290;
    if (isRecent) verifier.verify(body, headers);
  }
}
