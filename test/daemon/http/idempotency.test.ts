import { request as httpRequest } from 'node:http';
import { describe, expect, test } from 'vitest';
import { daemonWith, eventually, hello } from '../../helpers/daemon/chat.ts';
import { holdClock } from '../../helpers/clock.ts';
import { openDaemon, startDaemon, type TestDaemon } from '../../helpers/daemon/daemon.ts';
import { endlessModel, scriptedModel } from '../../helpers/models/models.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const TEXT = 'An answer that is given once and repeated as often as it is asked for.';
const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });

describe('creating a key with an Idempotency-Key', () => {
  test('creates one key, whose secret is returned again to the same caller', async () => {
    const daemon = await startDaemon();
    const create = () => daemon.call('POST', '/api/keys', { body: { name: 'app' }, ...keyed('create-1') });
    const first = await create();
    const second = await create();
    expect(first.status).toBe(201);
    expect(second.status).toBe(201);
    expect(second.text).toBe(first.text);
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(second.headers['x-request-id']).toBe(first.headers['x-request-id']);
    expect(second.headers['content-type']).toBe(first.headers['content-type']);
    expect(second.headers['cache-control']).toBe('no-store');
    expect(daemon.services.keys.list('acct_local').filter(({ name }) => name === 'app')).toHaveLength(1);
  });

  test('refuses the same Idempotency-Key for another body, and ignores its quotes', async () => {
    const daemon = await startDaemon();
    await daemon.call('POST', '/api/keys', { body: { name: 'app' }, ...keyed('k') });
    const other = await daemon.call('POST', '/api/keys', { body: { name: 'other' }, ...keyed('"k"') });
    expect(other.status).toBe(422);
    expect(other.json()).toMatchObject({ error: { code: 'idempotency_key_reused', param: null } });
    expect(other.headers['x-should-retry']).toBe('false');
  });

  test('gives an answer only to its caller, whichever header carries the key', async () => {
    const { services, call, key } = await startDaemon();
    const options = { accountId: 'acct_local', name: 'other', scopes: ['chat' as const], expiresAt: null };
    const other = services.keys.create(options).key;
    const moderate = (apiKey: string) => {
      const headers = { 'idempotency-key': 'k', 'x-api-key': apiKey };
      return call('POST', '/v1/moderate', { body: { input: 'hello' }, token: null, headers });
    };
    const first = await moderate(key);
    expect((await moderate(key)).text).toBe(first.text);
    expect((await moderate(other)).status).toBe(409);
  });

  test('keeps no refusal: a mistake can be corrected and sent again', async () => {
    const daemon = await startDaemon();
    const create = () => daemon.call('POST', '/api/keys', { body: { name: 'app' }, ...keyed('k') });
    for (let n = 0; n < 9; n++) await daemon.call('POST', '/api/keys', { body: { name: `n${n}` } });
    expect((await create()).status).toBe(409);
    const [oldest] = daemon.services.keys.list('acct_local').slice(-1);
    await daemon.call('DELETE', `/api/keys/${oldest?.id}`);
    expect((await create()).status).toBe(201);
    const invalid = () => daemon.call('POST', '/api/keys', { body: { nom: 'app' }, ...keyed('bad') });
    expect((await invalid()).status).toBe(400);
    expect((await invalid()).status).toBe(400);
    expect(daemon.services.store.prepare('SELECT * FROM idempotency').all()).toHaveLength(1);
  });

  test('survives a restart', async () => {
    const home = temporaryFolder();
    const create = (daemon: TestDaemon) =>
      daemon.call('POST', '/api/keys', { body: { name: 'app' }, ...keyed('k') });
    const before = await openDaemon({ ASKD_HOME: home });
    const first = await create(before);
    await before.close();
    const after = await openDaemon({ ASKD_HOME: home });
    const second = await create(after);
    await after.close();
    expect(second.text).toBe(first.text);
    expect(second.headers['idempotent-replayed']).toBe('true');
  });

  test('needs a usable key', async () => {
    const daemon = await startDaemon();
    const refused = await daemon.call('POST', '/api/keys', { body: { name: 'app' }, ...keyed('two words') });
    expect(refused.status).toBe(400);
    expect(refused.json()).toMatchObject({ error: { code: 'invalid_value', param: 'Idempotency-Key' } });
  });
});

describe('a completion with an Idempotency-Key', () => {
  test('runs and is charged once', async () => {
    holdClock();
    const daemon = await daemonWith({ m: await scriptedModel(TEXT) });
    const ask = () => post(daemon, { model: 'm', messages: hello }, 'chat-1');
    const first = await ask();
    const second = await ask();
    expect(second.text).toBe(first.text);
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(usageRows(daemon)).toBe(1);
    expect(second.headers['x-ratelimit-remaining-rpm']).toBe(first.headers['x-ratelimit-remaining-rpm']);
  });

  test('as a stream is replayed byte for byte', async () => {
    const daemon = await daemonWith({ m: await scriptedModel(TEXT) });
    const ask = () => post(daemon, { model: 'm', messages: hello, stream: true }, 'stream-1');
    const first = await ask();
    const second = await ask();
    expect(first.text).toContain('data: [DONE]');
    expect(second.text).toBe(first.text);
    expect(second.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    expect(usageRows(daemon)).toBe(1);
  });

  test('is refused while the first one runs; if its client hung up, it runs again', async () => {
    const daemon = await daemonWith({ m: await endlessModel() });
    const body = { model: 'm', messages: hello, stream: true, max_tokens: 4000 };
    const client = await openStream(daemon, body, 'k');
    const refused = await post(daemon, body, 'k');
    expect(refused.status).toBe(409);
    expect(refused.headers['retry-after']).toBe('1');
    expect(refused.json()).toMatchObject({ error: { code: 'idempotency_in_progress' } });
    client.destroy();
    await eventually(() => usageRows(daemon)).toBe(1);
    const rows = () => daemon.services.store.prepare('SELECT * FROM idempotency').all().length;
    await eventually(rows).toBe(0);
    const short = await openStream(daemon, body, 'k');
    short.destroy();
    await eventually(() => usageRows(daemon)).toBe(2);
  });

  test('through the official SDK is waited for, since a 409 says when to retry', async () => {
    const daemon = await daemonWith({ m: await scriptedModel(TEXT) });
    const ask = () =>
      daemon.sdk.chat.completions.create(
        { model: 'm', messages: hello },
        { ...keyed('sdk'), maxRetries: 30 },
      );
    const [first, second] = await Promise.all([ask(), ask()]);
    expect(second.id).toBe(first.id);
    expect(usageRows(daemon)).toBe(1);
  });
});

function usageRows({ services }: Pick<TestDaemon, 'services'>): number {
  return services.store.prepare<{ n: number }>('SELECT count(*) AS n FROM usage').get()?.n ?? 0;
}

function post(daemon: TestDaemon, body: unknown, key: string) {
  return daemon.call('POST', '/v1/chat/completions', { token: daemon.key, body, ...keyed(key) });
}

/** Resolves with the first text. */
function openStream({ port, key: token }: TestDaemon, body: unknown, key: string) {
  return new Promise<ReturnType<typeof httpRequest>>((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    };
    const options = { host: '127.0.0.1', port, method: 'POST', path: '/v1/chat/completions', headers };
    const request = httpRequest({ ...options, agent: false }, (response) => {
      response.once('data', () => resolve(request));
      response.on('error', () => undefined);
    });
    request.on('error', reject);
    request.end(JSON.stringify(body));
  });
}

describe('on a full disk', () => {
  test.each([
    ['an answer reaches its client, and is kept when there is room', { input: 'hello' }, 200],
    ['a refusal reaches its client, and its key is free when there is room', { input: 7 }, 400],
  ])('%s', async (_, body, status) => {
    const { services, call, key } = await startDaemon();
    const moderate = () => call('POST', '/v1/moderate', { body, token: key, ...keyed('full') });
    const disk = fillDisk(services.idempotency);
    expect((await moderate()).status).toBe(status);
    expect((await moderate()).status).toBe(409);
    disk.free();
    services.deferred.retry();
    const again = await moderate();
    expect(again.status).toBe(status);
    expect(again.headers['idempotent-replayed']).toBe(status === 200 ? 'true' : undefined);
  });
});

/** The end of a request with a key can't be written until there is room. */
function fillDisk(idempotency: TestDaemon['services']['idempotency']) {
  const { complete, abandon } = idempotency;
  const refuse = () => {
    throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  };
  Object.assign(idempotency, { complete: refuse, abandon: refuse });
  return { free: () => void Object.assign(idempotency, { complete, abandon }) };
}
