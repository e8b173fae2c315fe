import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROLES } from '../../../daemon/auth/roles.ts';
import type { Endpoint } from '../../../src/api/endpoint.ts';
import { ENDPOINTS } from '../../../src/api/endpoints.ts';
import { OLLAMA_ENDPOINTS } from '../../../src/api/ollama/endpoints.ts';
import { codeOf, OWN_PAGE, setCookieOf } from '../../helpers/accounts/sessions.ts';
import { openAccount, type OtherAccount } from '../../helpers/accounts/other-accounts.ts';
import { openDaemon, type TestDaemon } from '../../helpers/daemon/daemon.ts';

let daemon: TestDaemon;
let acme: OtherAccount;

beforeAll(async () => {
  daemon = await openDaemon();
  acme = await openAccount(daemon, 'acme');
});
afterAll(() => daemon.close());

type Role = 'owner' | 'member' | 'billing';
type Request = { body?: unknown };
type AsOwner = OtherAccount['asOwner'];

/** A person who signed in to the console with a link. */
async function signIn(asOwner: AsOwner, name: string) {
  const made = await asOwner('POST', `/api/account/members/${name}/login-link`);
  const code = new URL(made.json<{ login_url: string }>().login_url).hash.slice(1);
  const login = () => daemon.call('POST', '/api/login', { token: null, body: { code }, headers: OWN_PAGE });
  const cookie = setCookieOf(await login()).split(';')[0] ?? '';
  const call = (method: string, path: string, { body }: Request = {}) =>
    daemon.call(method, path, { token: null, body, headers: { cookie, ...OWN_PAGE } });
  return { call, loginAgain: login };
}

async function join(asOwner: AsOwner, name: string, role: Role) {
  expect((await asOwner('POST', '/api/account/members', { body: { name, role } })).status).toBe(201);
  return signIn(asOwner, name);
}

const idsOf = (keys: { id: string }[]) => keys.map(({ id }) => id);

test('a link signs a member in once, as themselves', async () => {
  const { call, loginAgain } = await join(acme.asOwner, 'ada', 'member');
  expect((await call('GET', '/api/sessions/current')).json()).toEqual({
    account: 'acme',
    member: 'ada',
    role: 'member',
  });
  expect(codeOf(await loginAgain())).toBe('login_code_invalid');
});

describe('a member', () => {
  test('sees and changes only their own keys and sessions', async () => {
    const bob = await join(acme.asOwner, 'bob', 'member');
    const { id } = (await bob.call('POST', '/api/keys', { body: { name: 'bobs' } })).json<{ id: string }>();
    expect(idsOf((await bob.call('GET', '/api/keys')).json())).toEqual([id]);
    const all = idsOf((await acme.asOwner('GET', '/api/keys')).json());
    expect(all).toContain(id);
    const other = all.find((each) => each !== id) ?? '';
    const tries = [
      await bob.call('PATCH', `/api/keys/${other}`, { body: { name: 'mine' } }),
      await bob.call('POST', `/api/keys/${other}/rotate`, { body: {} }),
      await bob.call('DELETE', `/api/keys/${other}`),
    ];
    expect(tries.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect((await bob.call('PATCH', `/api/keys/${id}`, { body: { name: 'renamed' } })).status).toBe(200);
    const { sessions } = (await bob.call('GET', '/api/sessions')).json<{
      sessions: { current: boolean }[];
    }>();
    expect(sessions.map(({ current }) => current)).toEqual([true]);
  });

  test.each(['write', 'admin'])(
    'cannot create a key with the scope %s, nor change one to it',
    async (scope) => {
      const eve = await join(acme.asOwner, `eve-${scope}`, 'member');
      const made = await eve.call('POST', '/api/keys', { body: { name: 'k', scopes: ['chat', scope] } });
      expect([made.status, codeOf(made)]).toEqual([403, 'role_not_allowed']);
      const { id } = (await eve.call('POST', '/api/keys', { body: { name: 'k' } })).json<{ id: string }>();
      const changed = await eve.call('PATCH', `/api/keys/${id}`, { body: { scopes: [scope] } });
      expect(codeOf(changed)).toBe('role_not_allowed');
      await acme.asOwner('DELETE', `/api/keys/${id}`);
    },
  );

  test('a removed member has no session and no key any more', async () => {
    const cleo = await join(acme.asOwner, 'cleo', 'member');
    const { key } = (await cleo.call('POST', '/api/keys', { body: { name: 'k' } })).json<{ key: string }>();
    expect((await daemon.call('GET', '/v1/wallet/balance', { token: key })).status).toBe(200);
    await acme.asOwner('DELETE', '/api/account/members/cleo');
    expect((await cleo.call('GET', '/api/keys')).status).toBe(401);
    expect((await daemon.call('GET', '/v1/wallet/balance', { token: key })).status).toBe(401);
  });
});

test('a login link of a removed member signs nobody in', async () => {
  await acme.asOwner('POST', '/api/account/members', { body: { name: 'ivo', role: 'billing' } });
  const made = await acme.asOwner('POST', '/api/account/members/ivo/login-link');
  const code = new URL(made.json<{ login_url: string }>().login_url).hash.slice(1);
  await acme.asOwner('DELETE', '/api/account/members/ivo');
  const reply = await daemon.call('POST', '/api/login', { token: null, body: { code }, headers: OWN_PAGE });
  expect([reply.status, codeOf(reply), setCookieOf(reply)]).toEqual([401, 'login_code_invalid', '']);
});

test('a playground key ends with the role that allows it', async () => {
  const hana = await join(acme.asOwner, 'hana', 'member');
  const made = await hana.call('POST', '/api/sessions/current/key');
  const { key } = made.json<{ key: string }>();
  const statusOf = async () =>
    (await daemon.call('POST', '/v1/conversations', { token: key, body: {} })).status;
  expect(await statusOf()).toBe(200);
  await acme.asOwner('PATCH', '/api/account/members/hana', { body: { role: 'billing' } });
  expect(await statusOf()).toBe(401);
});

test('a new role applies from the next request on, also to keys', async () => {
  const dora = await join(acme.asOwner, 'dora', 'owner');
  const scopes = ['chat', 'read', 'admin'];
  await acme.asOwner('POST', '/api/account/members', { body: { name: 'chief', role: 'owner' } });
  const made = await dora.call('POST', '/api/keys', { body: { name: 'strong', scopes } });
  const { id } = made.json<{ id: string }>();
  await acme.asOwner('PATCH', '/api/account/members/dora', { body: { role: 'member' } });
  expect((await dora.call('GET', '/api/wallet')).status).toBe(403);
  expect((await dora.call('GET', '/api/keys')).json()).toMatchObject([{ id, scopes: ['chat', 'read'] }]);
  await acme.asOwner('PATCH', '/api/account/members/dora', { body: { role: 'billing' } });
  expect((await dora.call('GET', '/api/wallet')).status).toBe(200);
  expect(idsOf((await acme.asOwner('GET', '/api/keys')).json())).not.toContain(id);
});

test('the last owner of an account is neither removed nor given another role', async () => {
  const small = await openAccount(daemon, 'small');
  const first = await join(small.asOwner, 'first', 'owner');
  const refused = [
    await small.asOwner('DELETE', '/api/account/members/first'),
    await first.call('PATCH', '/api/account/members/first', { body: { role: 'billing' } }),
  ];
  expect(refused.map((reply) => [reply.status, codeOf(reply)])).toEqual([
    [409, 'last_owner'],
    [409, 'last_owner'],
  ]);
  await first.call('POST', '/api/account/members', { body: { name: 'second', role: 'owner' } });
  expect((await small.asOwner('DELETE', '/api/account/members/first')).status).toBe(200);
});

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
/** Their effect would end the session that tries the others. */
const LAST = ['DELETE /api/sessions'];

describe.each(['owner', 'member', 'billing'] as const)('the role %s', (role) => {
  test.each(['another account', 'the account of the machine'])(
    'opens what the table says, in %s',
    async (where) => {
      const isMachine = where !== 'another account';
      const asOwner: AsOwner = isMachine ? daemon.call : acme.asOwner;
      const { call } = await join(asOwner, `walks-${role}`, role);
      const wrong: string[] = [];
      for (const endpoint of ENDPOINTS) {
        const { method, path, access } = endpoint;
        if (!['management', 'control', 'session'].includes(access) || LAST.includes(nameOf(endpoint)))
          continue;
        if (OLLAMA_ENDPOINTS.includes(endpoint) || (isMachine && role === 'owner')) continue;
        // Nothing has this id, and these bodies lack required fields: open routes answer with a different error.
        const address = path.replace(/\{\w+\*?\}/g, 'x');
        const reply = await call(
          method,
          address,
          method === 'GET' || method === 'DELETE' ? {} : { body: {} },
        );
        const isRefused = reply.status === 403 && codeOf(reply) === 'role_not_allowed';
        const isOpen = ROLES[nameOf(endpoint)]?.includes(role) ?? false;
        if (isRefused === isOpen) wrong.push(`${nameOf(endpoint)} ${reply.status}`);
      }
      expect(wrong).toEqual([]);
      const machine = await call('GET', '/api/settings');
      expect(machine.status).toBe(isMachine && role === 'owner' ? 200 : 403);
    },
  );
});

test('what a member creates in the playground is hidden from other members', async () => {
  const [fay, gus] = [await join(acme.asOwner, 'fay', 'member'), await join(acme.asOwner, 'gus', 'member')];
  const keyOf = async ({ call }: typeof fay) =>
    (await call('POST', '/api/sessions/current/key')).json<{ key: string }>().key;
  const [hers, his] = [await keyOf(fay), await keyOf(gus)];
  const made = await daemon.call('POST', '/v1/conversations', { token: hers, body: {} });
  const { id } = made.json<{ id: string }>();
  expect((await daemon.call('GET', `/v1/conversations/${id}`, { token: hers })).status).toBe(200);
  expect((await daemon.call('GET', `/v1/conversations/${id}`, { token: his })).status).toBe(404);
});

test("a member's conversations are private, and are deleted with the member", async () => {
  const [kim, leo] = [await join(acme.asOwner, 'kim', 'member'), await join(acme.asOwner, 'leo', 'owner')];
  const draft = { name: 'trip', model: 'm', messages: [{ id: 'a', role: 'user', content: 'Where to?' }] };
  const made = await kim.call('POST', '/api/daemon/chats', { body: draft });
  const { id } = made.json<{ id: string }>();
  const path = `/api/daemon/chats/${id}`;
  expect((await kim.call('GET', '/api/daemon/chats/trip')).json()).toMatchObject({ id, title: 'Where to?' });
  const others: AsOwner[] = [leo.call, acme.asOwner, acme.byKey, daemon.call];
  for (const call of others) {
    const tries = [
      await call('GET', path),
      await call('PATCH', path, { body: { title: 'mine' } }),
      await call('PUT', `${path}/messages`, { body: { id: 'b', role: 'user', content: 'mine' } }),
      await call('DELETE', path),
    ];
    expect(tries.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    const found = await call('POST', '/api/daemon/chats/search', { body: { text: 'where' } });
    expect([found.json(), (await call('GET', '/api/daemon/chats')).json()]).toEqual([
      { data: [] },
      { data: [], has_more: false },
    ]);
  }
  await acme.asOwner('DELETE', '/api/account/members/kim');
  const left = daemon.services.store.prepare('SELECT 1 FROM chats WHERE id = ?').get(id);
  expect(left).toBeUndefined();
});

test('the audit log says which member acted', async () => {
  const max = await join(acme.asOwner, 'max', 'owner');
  await max.call('POST', '/api/account/members', { body: { name: 'nia', role: 'billing' } });
  const [record] = daemon.services.auditLog.list({ limit: 1, action: 'member.add' }).records;
  expect(record).toMatchObject({
    ...{ object: 'nia', outcome: 'succeeded', after: { role: 'billing' } },
    actor: { kind: 'session', name: 'max' },
  });
});
