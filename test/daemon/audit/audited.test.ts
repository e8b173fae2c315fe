import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ACTIONS, actionOf, NOT_RECORDED, routeOf } from '../../../daemon/audit/actions.ts';
import { ENDPOINTS } from '../../../src/api/endpoints.ts';
import { verifyAuditLog } from '../../../src/events/audit/verify-audit-log.ts';
import { createCanaries } from '../../helpers/accounts/canaries.ts';
import {
  loginCode,
  logIn,
  openBrowserSession,
  OWN_PAGE,
  setCookieOf,
} from '../../helpers/accounts/sessions.ts';
import { settableClock } from '../../helpers/clock.ts';
import { eventually } from '../../helpers/daemon/chat.ts';
import { startDaemon, type TestDaemon } from '../../helpers/daemon/daemon.ts';
import { createTestClock } from '../../../src/base/test-clock.ts';

const recordsOf = ({ services }: TestDaemon, action?: string) =>
  services.auditLog.list({ limit: 500, action }).records;

/** From then on, nothing can be recorded. */
const breakLog = ({ services }: TestDaemon) =>
  services.store
    .prepare(
      "CREATE TRIGGER audit_log_full BEFORE INSERT ON audit_log BEGIN SELECT RAISE(ABORT, 'no more'); END",
    )
    .run();

test('every management route other than GET has a named action, or is listed as recording none', () => {
  const routes = ENDPOINTS.map(routeOf);
  const unnamed = ENDPOINTS.filter((endpoint) => actionOf(endpoint)?.name === routeOf(endpoint)).map(routeOf);
  expect(unnamed).toEqual([]);
  expect([...Object.keys(ACTIONS), ...NOT_RECORDED].filter((route) => !routes.includes(route))).toEqual([]);
  expect(NOT_RECORDED.filter((route) => route in ACTIONS)).toEqual([]);
});

test('a management route without a named action is recorded under its method and path', () => {
  const route = { method: 'POST', path: '/api/new-things', access: 'management' } as const;
  expect(actionOf(route)).toEqual({ name: 'POST /api/new-things' });
  expect(actionOf({ ...route, method: 'GET' })).toBeUndefined();
  expect(actionOf({ ...route, access: 'chat' })).toBeUndefined();
});

test('each of these routes records who tried it with a wrong credential', { timeout: 300_000 }, async () => {
  const testClock = createTestClock(settableClock());
  const daemon = await startDaemon({}, { testClock });
  const wrong = `ask_${'A'.repeat(43)}`;
  const routes = ENDPOINTS.filter((endpoint) => actionOf(endpoint) && endpoint.tag !== 'Ollama');
  for (const { method, path } of routes) {
    testClock.moveTo(testClock.now() + 60_000);
    const { status } = await daemon.call(method, path.replace(/\{\w+\*?\}/g, 'some'), {
      ...{ token: wrong, headers: { 'user-agent': 'guesser/1.0' } },
    });
    expect([method, path, status]).toEqual([method, path, 401]);
  }
  const recorded = recordsOf(daemon).reverse();
  expect(recorded.map(({ action }) => action)).toEqual(routes.map((route) => actionOf(route)?.name));
  for (const record of recorded)
    expect(record).toMatchObject({
      ...{ outcome: 'refused', code: 'invalid_api_key', actor: { kind: 'nobody' } },
      ...{ client: 'guesser/1.0', address: '127.0.0.1', before: null, after: null },
    });
});

test('guessing credentials fills no disk', async () => {
  const daemon = await startDaemon({}, { testClock: createTestClock(settableClock()) });
  const guess = () =>
    daemon.call('POST', '/api/keys', { token: `ask_${'B'.repeat(43)}`, body: { name: 'x' } });
  for (let count = 0; count < 30; count++) await guess();
  for (let count = 0; count < 5; count++) await daemon.call('POST', '/api/keys', { token: null, body: {} });
  expect(recordsOf(daemon)).toHaveLength(10);
});

test('the life of a key is recorded with what changed, who did it and from where', async () => {
  const daemon = await startDaemon();
  const browser = await openBrowserSession(daemon);
  const created = await browser.call('POST', '/api/keys', {
    ...{ body: { name: 'app', rpm: 60 }, headers: { ...OWN_PAGE, 'user-agent': 'Firefox/150' } },
  });
  const { id, key_prefix: prefix } = created.json<{ id: string; key_prefix: string }>();
  await daemon.call('PATCH', `/api/keys/${id}`, { body: { name: 'shop', credits_per_month: 2.5 } });
  await daemon.call('DELETE', `/api/keys/${id}`);
  const [revoked, updated, made] = recordsOf(daemon, 'api_key');
  expect(made).toMatchObject({
    ...{ action: 'api_key.create', object: id, outcome: 'succeeded', client: 'Firefox/150' },
    ...{ actor: { kind: 'session' }, address: '127.0.0.1', before: null },
    request_id: created.headers['x-request-id'],
    after: { name: 'app', key_prefix: prefix, scopes: ['chat', 'read'], rpm: 60, credits_per_month: null },
  });
  expect(updated).toMatchObject({
    ...{ action: 'api_key.update', object: id, actor: { kind: 'root_token' } },
    before: { name: 'app', credits_per_month: null },
    after: { name: 'shop', credits_per_month: 2.5 },
  });
  expect(revoked).toMatchObject({ action: 'api_key.revoke', before: { name: 'shop' }, after: null });
});

test('what failed is recorded with its reason, and changes nothing', async () => {
  const daemon = await startDaemon();
  await daemon.call('DELETE', '/api/keys/key_none');
  await daemon.call('POST', '/api/daemon/load', { body: { model: 'none' } });
  const code = await loginCode(daemon);
  await daemon.call('POST', '/api/login', { token: null, body: { code: `${code}x` }, headers: OWN_PAGE });
  expect(recordsOf(daemon)).toMatchObject([
    { action: 'session.login', outcome: 'failed', code: 'login_code_invalid', actor: { kind: 'nobody' } },
    { action: 'login_code.create', outcome: 'succeeded' },
    { action: 'model.load', object: 'none', outcome: 'failed', code: 'model_not_found' },
    { action: 'api_key.revoke', object: 'key_none', outcome: 'failed', code: 'not_found' },
  ]);
});

test('a login and the actions of its session name the session', async () => {
  const daemon = await startDaemon();
  const login = await logIn(daemon, { ...OWN_PAGE, 'user-agent': 'Safari/20' });
  const { id } = login.json<{ id: string }>();
  const cookie = setCookieOf(login).split(';')[0] ?? '';
  await daemon.call('DELETE', `/api/sessions/${id}`, { token: null, headers: { cookie, ...OWN_PAGE } });
  expect(recordsOf(daemon, 'session')).toMatchObject([
    {
      ...{ action: 'session.revoke', object: id, actor: { kind: 'session', id } },
      before: { kind: 'browser', user_agent: 'Safari/20' },
    },
    { action: 'session.login', object: id, client: 'Safari/20', outcome: 'succeeded' },
  ]);
});

test('an API key that manages is named by its prefix', async () => {
  const daemon = await startDaemon();
  const made = await daemon.call('POST', '/api/keys', { body: { name: 'ops', scopes: ['admin'] } });
  const { id, key, key_prefix: name } = made.json<{ id: string; key: string; key_prefix: string }>();
  await daemon.call('POST', '/api/daemon/stop', { token: key, body: { model: 'none' } });
  expect(recordsOf(daemon, 'model.unload')).toMatchObject([{ actor: { kind: 'api_key', id, name } }]);
});

test('changes of settings and the wallet are recorded with the values before and after', async () => {
  const daemon = await startDaemon();
  await daemon.call('PUT', '/api/settings/model_slots', { body: { value: '2' } });
  await daemon.call('DELETE', '/api/settings/model_slots');
  const limit = { enabled: true, monthly_limit: 7, action: 'block' };
  await daemon.call('PUT', '/api/wallet/settings', { body: { spending_limit: limit } });
  await daemon.call('PUT', '/api/account/tier', { body: { tier: 'free' } });
  expect(recordsOf(daemon)).toMatchObject([
    { action: 'account.set_tier', before: { name: 'enterprise' }, after: { name: 'free' } },
    {
      action: 'wallet_settings.update',
      before: { spending_limit: { enabled: false } },
      after: { spending_limit: { enabled: true, limit: 7, action: 'block' } },
    },
    { action: 'setting.reset', object: 'model_slots', before: { value: 2 }, after: null },
    { action: 'setting.update', object: 'model_slots', before: null, after: { value: 2 } },
  ]);
});

test('a request that is sent twice with one idempotency key is one record', async () => {
  const daemon = await startDaemon();
  const send = () =>
    daemon.call('POST', '/api/keys', { body: { name: 'app' }, headers: { 'idempotency-key': 'once' } });
  const [first, second] = [await send(), await send()];
  expect(second.headers['idempotent-replayed']).toBe('true');
  expect(recordsOf(daemon, 'api_key.create')).toMatchObject([{ request_id: first.headers['x-request-id'] }]);
});

test('an action that cannot be recorded does not take place', async () => {
  const daemon = await startDaemon();
  const keys = () => daemon.services.keys.list('acct_local').length;
  const before = keys();
  const { config } = daemon.services.settings.paths;
  breakLog(daemon);
  expect((await daemon.call('POST', '/api/keys', { body: { name: 'app' } })).status).toBe(500);
  expect((await daemon.call('PUT', '/api/settings/model_slots', { body: { value: '2' } })).status).toBe(500);
  expect((await daemon.call('POST', '/api/root-token/rotate')).status).toBe(500);
  expect((await logIn(daemon).catch(() => undefined))?.status).toBeUndefined();
  expect((await daemon.call('POST', '/api/daemon/shutdown')).status).toBe(500);
  expect(daemon.services.boot.stopRequested.aborted).toBe(false);
  expect(keys()).toBe(before);
  expect(() => readFileSync(config)).toThrow('ENOENT');
  expect((await daemon.call('GET', '/api/keys')).status).toBe(200);
});

test('a long action with its progress in a stream is recorded with its end', async () => {
  const daemon = await startDaemon({ ASKD_OFFLINE: '1' });
  const reply = await daemon.call('POST', '/api/daemon/engines/diffusion', { body: {} });
  expect(reply.text).toContain('"error"');
  await eventually(() => recordsOf(daemon, 'engine').map(({ outcome }) => outcome)).toEqual(['failed']);
});

test('no secret is in the log, and the chain holds', async () => {
  const daemon = await startDaemon({ ASKD_WEBHOOKS_ALLOW_CIDRS: '127.0.0.0/8' });
  const canaries = createCanaries();
  const { call } = daemon;
  canaries.knows('the root token', daemon.services.rootToken.current());
  const made = (await call('POST', '/api/keys', { body: { name: 'app' } })).json<{
    id: string;
    key: string;
  }>();
  canaries.knows('a key', made.key);
  const next = (await call('POST', `/api/keys/${made.id}/rotate`, { body: {} })).json<{ key: string }>();
  canaries.knows('a rotated key', next.key);
  await call('DELETE', `/api/keys/${encodeURIComponent(next.key)}`);
  const code = canaries.knows('a login code', await loginCode(daemon));
  const login = await call('POST', '/api/login', { token: null, body: { code }, headers: OWN_PAGE });
  canaries.knows('a session', (setCookieOf(login).split(';')[0] ?? '').split('=')[1] ?? '');
  const path = canaries.knows('the path of a webhook', 'T000-B000-hook-path-canary');
  const hook = { name: 'hook', url: `http://127.0.0.1:8123/${path}`, events: ['chat.started'] };
  type Made = { webhook: { id: string }; secret: string };
  const { webhook, secret } = (await call('POST', '/api/webhooks', { body: hook })).json<Made>();
  canaries.knows('the secret of a webhook', secret);
  await call('PATCH', `/api/webhooks/${webhook.id}`, { body: { url: `http://127.0.0.1:8123/${path}/2` } });
  const rotated = (await call('POST', `/api/webhooks/${webhook.id}/rotate-secret`)).json<Made>();
  canaries.knows('the second secret of a webhook', rotated.secret);
  const key = canaries.knows('the key of an upstream', 'plain-upstream-password-canary');
  const upstream = { id: 'up', base_urls: ['http://127.0.0.1:9/v1'], model: 'm', tasks: ['chat'], key };
  await call('POST', '/api/daemon/upstreams', { body: upstream });
  await call('POST', '/api/daemon/remove', { body: { model: 'up' } });
  await call('PUT', '/api/settings/smtp_url', {
    body: { value: canaries.knows('a mail password', 'smtps://u:mail-pass-canary@x.example') },
  });
  const server = {
    name: 'srv',
    command: '/bin/false',
    args: [canaries.knows('an argument', 'mcp-argument-canary')],
  };
  const env = { TOKEN: canaries.knows('a variable', 'mcp-variable-canary-1') };
  await call('POST', '/api/daemon/mcp', { body: { ...server, env } });
  await call('POST', '/api/root-token/rotate');
  canaries.knows('the next root token', daemon.services.rootToken.current());

  const rows = daemon.services.store.prepare('SELECT * FROM audit_log').all();
  expect(rows.length).toBeGreaterThan(14);
  canaries.saw('the table', JSON.stringify(rows));
  canaries.saw('the records', JSON.stringify(recordsOf(daemon)));
  expect(canaries.leaks()).toEqual([]);
  expect(verifyAuditLog(daemon.services.store)).toMatchObject({ records: rows.length, findings: [] });
  expect(recordsOf(daemon, 'webhook.update')).toMatchObject([
    {
      before: { url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:8123\/… \([0-9a-f]{8}\)$/) as string },
      after: { url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:8123\/… \([0-9a-f]{8}\)$/) as string },
    },
  ]);
});
