import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI, { toFile } from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROLES } from '../../../daemon/auth/roles.ts';
import { ENDPOINTS } from '../../../src/api/endpoints.ts';
import type { Endpoint } from '../../../src/api/endpoint.ts';
import { OLLAMA_ENDPOINTS } from '../../../src/api/ollama/endpoints.ts';
import { openAccount, type OtherAccount } from '../../helpers/accounts/other-accounts.ts';
import { possessionsOf } from '../../helpers/accounts/possessions.ts';
import { codeOf } from '../../helpers/accounts/sessions.ts';
import { chats, createBatch, linesOf, overOf } from '../../helpers/daemon/batches.ts';
import { openDaemonWith, type ChatDaemon } from '../../helpers/daemon/chat.ts';
import { receiver } from '../../helpers/servers/webhooks.ts';
import { removeHome } from '../../helpers/temporary.ts';

const folder = mkdtempSync(join(tmpdir(), 'askd-test-'));
let daemon: ChatDaemon;
let acme: OtherAccount;
let rival: OtherAccount;

const SLOW = { timeout: 120_000 };

beforeAll(async () => {
  const script = join(folder, 'answers.json');
  writeFileSync(script, JSON.stringify({ rules: [{ answer: { text: 'Done.' } }] }));
  const env = { ASKD_SCRIPTED_ANSWERS: script, ASKD_WEBHOOKS_ALLOW_CIDRS: '127.0.0.0/8' };
  daemon = await openDaemonWith({}, env);
  daemon.services.library.bind('svc-chat-v1', 'scripted');
  acme = await openAccount(daemon, 'acme');
  rival = await openAccount(daemon, 'rival');
}, 120_000);
afterAll(async () => {
  await daemon.close();
  removeHome(folder);
});

/**
 * Routes that refer to something of an account, by the route that creates it. The others with a parameter concern the
 * machine.
 */
const OWNED: Readonly<Record<string, RegExp>> = {
  key: /^\/api\/keys\/\{id\}/,
  member: /^\/api\/account\/members\/\{/,
  session: /^\/api\/sessions\/\{id\}/,
  webhook: /^\/api\/webhooks\/\{id\}/,
  usage: /^\/api\/usage\/requests/,
  batch: /^\/(v1|api)\/batches\/\{/,
  file: /^\/v1\/files\/\{/,
  store: /^\/v1\/vector_stores\/\{/,
  conversation: /^\/v1\/conversations\/\{/,
  response: /^\/v1\/responses\/\{/,
  run: /^\/v1\/agent\/runs\/\{/,
  agentSession: /^\/v1\/agent\/sessions\/\{/,
  chat: /^\/api\/daemon\/chats\/\{/,
};
/** Public by its unguessable name, and models, which all accounts share. */
const SHARED = ['GET /images/{name}', 'GET /v1/models/{model_id*}'];

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
const ROUTES = ENDPOINTS.filter(
  (endpoint) =>
    endpoint.path.includes('{') && !OLLAMA_ENDPOINTS.includes(endpoint) && !SHARED.includes(nameOf(endpoint)),
);
const kindOf = ({ path }: Endpoint) => Object.keys(OWNED).find((kind) => OWNED[kind]?.test(path));

const BODIES: Readonly<Record<string, unknown>> = {
  'PATCH /api/keys/{id}': { name: 'x' },
  'PATCH /api/webhooks/{id}': { name: 'x' },
  'PATCH /api/account/members/{name}': { role: 'member' },
  'POST /v1/vector_stores/{id}/search': { query: 'hello' },
  'POST /v1/vector_stores/{id}/files': { file_id: 'file_x' },
  'POST /v1/vector_stores/{id}/file_batches': { file_ids: ['file_x'] },
  'POST /v1/vector_stores/{id}/files/{file_id}': { attributes: {} },
  'POST /v1/conversations/{id}': { metadata: {} },
  'POST /v1/conversations/{id}/items': { items: [{ type: 'message', role: 'user', content: 'x' }] },
  'POST /api/webhooks/{id}/replay': { since: '2026-01-01T00:00:00Z' },
  'PUT /api/daemon/chats/{chat}/messages': { id: 'm', role: 'user', content: 'x' },
  'POST /api/keys/{id}/simulations': { route: 'POST /v1/chat/completions', status: 500 },
};

test('every route with an id of an account refuses the key and the session of another', SLOW, async () => {
  const owned = await possessionsOf(daemon, acme);
  expect(Object.values(owned).flatMap((ids) => Object.values(ids))).not.toContain('');
  const open: string[] = [];
  const closed: string[] = [];
  const tried: string[] = [];
  for (const endpoint of ROUTES) {
    const { method, path, access } = endpoint;
    const kind = kindOf(endpoint);
    const values = kind === undefined ? {} : (owned[kind] ?? {});
    const address = path.replace(/\{(\w+)\*?\}/g, (_all, name: string) => values[name] ?? 'x');
    const body = method === 'GET' || method === 'DELETE' ? undefined : (BODIES[nameOf(endpoint)] ?? {});
    const isForKeys = !['management', 'session', 'owner'].includes(access);
    const isForSessions = ['management', 'control', 'session'].includes(access);
    const replies = [
      ...(isForKeys ? [await rival.byKey(method, address, { body })] : []),
      ...(isForSessions ? [await rival.bySession(method, address, { body })] : []),
      ...(access === 'owner' ? [await rival.bySession(method, address, { body })] : []),
    ];
    const wanted = access === 'owner' ? 401 : kind ? 404 : 403;
    for (const { status } of replies) if (status !== wanted) open.push(`${nameOf(endpoint)} ${status}`);
    if (kind !== undefined) tried.push(kind);
    // The same request from the account itself finds what is there, so the refusals above are because of the account.
    if (kind === undefined || method !== 'GET' || access === 'owner') continue;
    const own = await (isForKeys ? acme.byKey : acme.bySession)(method, address);
    if (own.status !== 200) closed.push(`${nameOf(endpoint)} ${own.status}`);
  }
  expect({ open, closed }).toEqual({ open: [], closed: [] });
  expect([...new Set(tried)].sort()).toEqual(Object.keys(OWNED).sort());
});

test('no list shows anything from another account', SLOW, async () => {
  const lists = ['/v1/files', '/v1/batches', '/v1/vector_stores', '/v1/agent/runs', '/v1/agent/sessions'];
  for (const path of lists) {
    const { text } = await rival.byKey('GET', path);
    expect([path, text]).toEqual([path, expect.not.stringMatching(/"id"/)]);
  }
  const webhooks = await rival.bySession('GET', '/api/webhooks');
  expect(webhooks.json()).toEqual({ webhooks: [] });
  const keys = (await rival.bySession('GET', '/api/keys')).json<{ name: string }[]>();
  expect(keys.map(({ name }) => name)).toEqual(['all']);
  const usage = await rival.bySession('GET', '/api/usage');
  expect(usage.text).not.toContain('scripted');
});

test(
  'everything that is not in the account table belongs to the machine, for a session and an admin key',
  SLOW,
  async () => {
    const refused: string[] = [];
    for (const endpoint of ENDPOINTS.filter(({ access }) =>
      ['management', 'control', 'session'].includes(access),
    )) {
      const { method, path, access } = endpoint;
      if (OLLAMA_ENDPOINTS.includes(endpoint) || nameOf(endpoint) in ROLES) continue;
      const address = path.replace(/\{\w+\*?\}/g, 'x');
      const body = method === 'GET' || method === 'DELETE' ? undefined : {};
      const replies = [
        await rival.bySession(method, address, { body }),
        ...(access === 'control' ? [await rival.byKey(method, address, { body })] : []),
      ];
      for (const reply of replies)
        expect([nameOf(endpoint), reply.status, codeOf(reply)]).toEqual([
          nameOf(endpoint),
          403,
          'role_not_allowed',
        ]);
      refused.push(nameOf(endpoint));
    }
    expect(refused).toEqual(
      expect.arrayContaining([
        'PUT /api/settings/{name}',
        'POST /api/accounts',
        'POST /api/daemon/pulls',
        'GET /api/daemon/docs',
      ]),
    );
    const names = ENDPOINTS.map(nameOf);
    expect(Object.keys(ROLES).filter((name) => !names.includes(name))).toEqual([]);
    expect((await rival.byKey('GET', '/metrics')).status).toBe(403);
  },
);

test('only the command line names the account of a request', async () => {
  const headers = { 'askd-account': 'acme' };
  expect(codeOf(await rival.byKey('GET', '/v1/wallet/balance', { headers }))).toBe('role_not_allowed');
  expect(codeOf(await rival.bySession('GET', '/api/keys', { headers }))).toBe('role_not_allowed');
  const unknown = await daemon.call('GET', '/api/keys', { headers: { 'askd-account': 'nobody' } });
  expect([unknown.status, codeOf(unknown)]).toEqual([404, 'not_found']);
});

test('without a payment provider an account cannot give itself credits', async () => {
  const tries = [
    await rival.byKey('POST', '/v1/wallet/top-up', { body: { amount: 25 } }),
    await rival.bySession('POST', '/api/wallet/top-up', { body: { amount: 25 } }),
    await rival.bySession('PUT', '/api/wallet/settings', {
      body: { auto_topup: { enabled: true, threshold: 10, amount: 100 } },
    }),
  ];
  expect(tries.map((reply) => [reply.status, codeOf(reply)])).toEqual(
    tries.map(() => [403, 'role_not_allowed']),
  );
  expect((await rival.asOwner('POST', '/api/wallet/top-up', { body: { amount: 25 } })).status).toBe(200);
});

describe('a suspended account', () => {
  test('has its keys refused and its sessions ended, and is open again once it is resumed', async () => {
    const held = await openAccount(daemon, 'held');
    expect((await daemon.call('POST', '/api/accounts/held/suspend')).json()).toMatchObject({ name: 'held' });
    const refused = await held.byKey('GET', '/v1/wallet/balance');
    expect([refused.status, codeOf(refused)]).toEqual([403, 'account_suspended']);
    expect(refused.headers['x-should-retry']).toBe('false');
    expect((await held.bySession('GET', '/api/keys')).status).toBe(401);
    expect((await held.asOwner('GET', '/api/keys')).status).toBe(200);
    await daemon.call('POST', '/api/accounts/held/resume');
    expect((await held.byKey('GET', '/v1/wallet/balance')).status).toBe(200);
    expect((await held.bySession('GET', '/api/keys')).status).toBe(401);
  });

  test('keeps its batches and webhooks waiting, which continue once it is resumed', SLOW, async () => {
    const paused = await openAccount(daemon, 'paused');
    const sdk = new OpenAI({ apiKey: paused.key, baseURL: daemon.baseURL, maxRetries: 0 });
    const inbox = await receiver();
    await paused.asOwner('POST', '/api/webhooks', {
      body: { name: 'inbox', url: inbox.url, events: ['batch.completed', 'api_key.created'] },
    });
    const input = await sdk.files.create({
      file: await toFile(Buffer.from(linesOf(chats(1, { model: 'scripted' }))), 'in.jsonl'),
      purpose: 'batch',
    });
    await daemon.call('POST', '/api/accounts/paused/suspend');
    await paused.asOwner('POST', '/api/keys', { body: { name: 'later' } });
    // The root token may still do it for the account, whose own key is refused.
    const body = {
      input_file_id: input.id,
      endpoint: '/v1/chat/completions',
      completion_window: '24h',
    };
    const held = (await paused.asOwner('POST', '/v1/batches', { body })).json<{ id: string }>().id;
    // Work of another account that starts later finishes first.
    const other = new OpenAI({ apiKey: rival.key, baseURL: daemon.baseURL, maxRetries: 0 });
    const done = await createBatch(other, linesOf(chats(1, { model: 'scripted' })));
    await overOf(other, done.id);
    expect(daemon.services.batches.get(held).status).toBe('validating');
    expect(inbox.deliveries).toEqual([]);
    await daemon.call('POST', '/api/accounts/paused/resume');
    const statusOf = () => daemon.services.batches.get(held).status;
    await expect.poll(statusOf, { timeout: 60_000 }).toBe('completed');
    await expect
      .poll(() => inbox.types().sort(), { timeout: 60_000 })
      .toEqual(['api_key.created', 'batch.completed']);
  });

  test('cannot be that of the owner', async () => {
    const reply = await daemon.call('POST', '/api/accounts/default/suspend');
    expect([reply.status, codeOf(reply)]).toEqual([400, 'invalid_value']);
  });
});

test('an account gets only its own events, and the owner gets none of those', SLOW, async () => {
  const [mine, theirs] = [await receiver(), await receiver()];
  const hook = (url: string) => ({ body: { name: 'h', url, events: ['api_key.created'] } });
  await daemon.call('POST', '/api/webhooks', hook(mine.url));
  await rival.asOwner('POST', '/api/webhooks', hook(theirs.url));
  await rival.asOwner('POST', '/api/keys', { body: { name: 'of-rival' } });
  await daemon.call('POST', '/api/keys', { body: { name: 'of-owner' } });
  const namesOf = ({ deliveries }: typeof mine) =>
    deliveries.map(({ body }) => (JSON.parse(body) as { data: { name: string } }).data.name);
  await expect
    .poll(() => [namesOf(mine), namesOf(theirs)], { timeout: 60_000 })
    .toEqual([['of-owner'], ['of-rival']]);
});

test.each(['', 'Acme', 'a b', '../x', 'x'.repeat(65), 'default', 'acme'])(
  'no account can be named %j',
  async (name) => {
    const reply = await daemon.call('POST', '/api/accounts', { body: { name } });
    expect(reply.status).toBe(['default', 'acme'].includes(name) ? 409 : 400);
  },
);
