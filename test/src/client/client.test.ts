import { readFileSync } from 'node:fs';
import { AskdConnectionError, AskdError, createClient, verifyWebhook } from 'askd/client';
import { expect, onTestFinished, test } from 'vitest';
import { withWorld, TWO_HOP } from '../../helpers/agent/world-daemon.ts';
import { clientsOf } from '../../helpers/api-client.ts';
import { collect } from '../../helpers/daemon/chat.ts';
import { startDaemon } from '../../helpers/daemon/daemon.ts';
import { scriptedModel } from '../../helpers/models/models.ts';
import { openListeningDaemon } from '../../helpers/models/transcribing.ts';
import { startHub } from '../../helpers/servers/hub.ts';
import { receiver } from '../../helpers/servers/webhooks.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

test('keys are created, listed, changed, rotated and revoked with a session', async () => {
  const { bySession } = await clientsOf(await startDaemon());
  const { id, key } = await bySession.keys.create({ name: 'app', rpm: 10 });
  expect(key).toMatch(/^ask_/);
  await bySession.keys.update(id, { name: 'other' });
  const rotated = await bySession.keys.rotate(id);
  expect(rotated).toMatchObject({ name: 'other' });
  await bySession.keys.revoke(rotated.id);
  expect((await bySession.keys.list()).map(({ name }) => name)).not.toContain('app');
});

test('a key reads models, limits and the wallet, and an error has everything the server said', async () => {
  const daemon = await startDaemon();
  const { byKey } = await clientsOf(daemon);
  expect((await byKey.models.list()).data.map(({ id }) => id)).toContain('svc-chat-v1');
  expect(await byKey.models.get('svc-chat-v1')).toMatchObject({ object: 'model' });
  const before = (await byKey.wallet.balance()).balance;
  const error: unknown = await byKey.wallet.topUp({ amount: 5 }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(AskdError);
  expect(error).toMatchObject({
    name: 'AskdError',
    status: 403,
    code: 'insufficient_scope',
    requestId: expect.stringMatching(/^req_/),
  });
  expect((await byKey.wallet.balance()).balance).toBe(before);
  expect((await byKey.wallet.transactions({ limit: 1 })).transactions.length).toBeLessThan(2);
});

test('texts are embedded', async () => {
  const { byKey } = await clientsOf(await startDaemon());
  const { data } = await byKey.texts.embed({ model: 'svc-embed-v1', input: ['one', 'two'] });
  expect(data).toHaveLength(2);
});

test('a transcript arrives as JSON, and subtitles as text', async () => {
  const daemon = await openListeningDaemon();
  onTestFinished(daemon.close);
  const { audio } = (await clientsOf(daemon)).byKey;
  expect(await audio.transcribe(daemon.upload())).toMatchObject({ text: 'hello world' });
  expect(await audio.transcribe(daemon.upload({ response_format: 'srt' }))).toMatch(/^1\n00:00:00,000 --> /);
});

test('a webhook that the daemon sends is verified, and its event is typed', async () => {
  const inbox = await receiver();
  const daemon = await startDaemon({ ASKD_WEBHOOKS_ALLOW_CIDRS: '127.0.0.0/8' });
  const { bySession } = await clientsOf(daemon);
  const created = await bySession.webhooks.create({
    name: 'app',
    url: inbox.url,
    events: ['api_key.created'],
  });
  await bySession.webhooks.test(created.webhook.id);
  const [delivery] = inbox.deliveries;
  if (!delivery) throw new Error('Nothing was delivered');
  const { body, headers } = delivery;
  const event = await verifyWebhook({ body, headers, secret: created.secret });
  expect(event).toMatchObject({ type: 'webhook.test', data: { name: 'app' } });
  if (event.type !== 'webhook.test') throw new Error('The type tells the data');
  expect(event.data.webhook_id).toBe(created.webhook.id);
  const { deliveries } = await bySession.webhooks.deliveries(created.webhook.id, { limit: 5 });
  expect(deliveries).toMatchObject([{ type: 'webhook.test', state: 'delivered' }]);
});

test('an agent streams typed events to the end, and its run can be read afterwards', async () => {
  const { byKey } = await clientsOf(await withWorld());
  const events = await collect(byKey.agent.stream({ query: TWO_HOP.text }));
  const last = events.at(-1);
  if (last?.type !== 'done') throw new Error(`The run ended with ${last?.type}`);
  expect(last.answer).toContain(TWO_HOP.answer);
  const again = await collect(byKey.agent.watch({ run: last.run }));
  expect(again.at(-1)).toEqual(last);
  expect(await byKey.agent.get(last.run)).toMatchObject({ status: 'finished', answer: last.answer });
});

test('leaving the loop over a stream aborts its request', async () => {
  const { byKey } = await clientsOf(await withWorld());
  for await (const event of byKey.agent.stream({ query: TWO_HOP.text })) {
    expect(event.type).toBe('step');
    break;
  }
  await expect
    .poll(async () => (await byKey.agent.runs()).data[0]?.status, { timeout: 30_000 })
    .not.toBe('running');
});

test('a pull is followed to its end, and one that fails throws what it failed with', async () => {
  const hub = await startHub();
  hub.add('someone/tiny-GGUF', {
    'tiny-Q4_K_M.gguf': readFileSync((await scriptedModel('From the hub.')).path),
  });
  const daemon = await startDaemon(hub.environment(temporaryFolder()));
  const admin = daemon.services.keys.create({
    accountId: 'acct_local',
    name: 'admin',
    scopes: ['admin'],
    expiresAt: null,
  });
  const { pulls } = createClient({ baseURL: daemon.baseURL, apiKey: admin.key });
  const states = (await collect(pulls.follow({ model: 'hf:someone/tiny-GGUF' }))).map(({ state }) => state);
  expect(states.at(-1)).toBe('done');
  expect(await collect(pulls.follow({ model: 'hf:someone/tiny-GGUF' }))).toEqual([]);
  const none = collect(pulls.follow({ model: 'hf:someone/none-GGUF' }));
  await expect(none).rejects.toMatchObject({ code: 'hub_not_found' });
});

test('a daemon that is not running is reported with the command that starts it', async () => {
  const client = createClient({ baseURL: 'http://127.0.0.1:9', maxRetries: 0 });
  const failing = client.daemon.health();
  await expect(failing).rejects.toBeInstanceOf(AskdConnectionError);
  await expect(failing).rejects.toThrow(/127\.0\.0\.1:9.*askd up/);
});
