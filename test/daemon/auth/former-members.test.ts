import { beforeEach, describe, expect, test } from 'vitest';
import type { ApiKey } from '../../../src/api/account/keys.ts';
import { playgroundOf } from '../../../src/access/session-keys.ts';
import { openAccount, type OtherAccount } from '../../helpers/accounts/other-accounts.ts';
import { codeOf, OWN_PAGE, setCookieOf } from '../../helpers/accounts/sessions.ts';
import { startDaemon, type TestDaemon } from '../../helpers/daemon/daemon.ts';

let daemon: TestDaemon;
let acme: OtherAccount;

beforeEach(async () => {
  daemon = await startDaemon();
  acme = await openAccount(daemon, 'acme');
});

type Request = { body?: unknown };

/** A member who signed in to the console. */
async function join(name: string) {
  const { asOwner } = acme;
  await asOwner('POST', '/api/account/members', { body: { name, role: 'member' } });
  const link = await asOwner('POST', `/api/account/members/${name}/login-link`);
  const code = new URL(link.json<{ login_url: string }>().login_url).hash.slice(1);
  const login = await daemon.call('POST', '/api/login', { token: null, body: { code }, headers: OWN_PAGE });
  const cookie = setCookieOf(login).split(';')[0] ?? '';
  return (method: string, path: string, { body }: Request = {}) =>
    daemon.call(method, path, { token: null, body, headers: { cookie, ...OWN_PAGE } });
}

type Call = Awaited<ReturnType<typeof join>>;

async function makeKey(call: Call, body: object = {}) {
  return (await call('POST', '/api/keys', { body: { name: 'k', ...body } })).json<{
    id: string;
    key_prefix: string;
  }>();
}

const deletedKeys = () =>
  daemon.services.store
    .prepare<{ data: string }>("SELECT data FROM events WHERE type = 'api_key.deleted' ORDER BY rowid")
    .all()
    .map(({ data }) => (JSON.parse(data) as { id: string }).id);

test('each key that ends with its member is an event', async () => {
  const kim = await join('kim');
  const keys = [await makeKey(kim), await makeKey(kim)];
  await acme.asOwner('DELETE', '/api/account/members/kim');
  expect(deletedKeys().sort()).toEqual(keys.map(({ id }) => id).sort());
});

test('so is each that ends with a role, and a key that only loses scopes is not', async () => {
  const { asOwner } = acme;
  await asOwner('POST', '/api/account/members', { body: { name: 'other', role: 'owner' } });
  const kim = await join('kim');
  await asOwner('PATCH', '/api/account/members/kim', { body: { role: 'owner' } });
  const [kept, lost] = [await makeKey(kim), await makeKey(kim, { scopes: ['write'] })];
  await asOwner('PATCH', '/api/account/members/kim', { body: { role: 'member' } });
  expect(deletedKeys()).toEqual([lost.id]);
  await asOwner('PATCH', '/api/account/members/kim', { body: { role: 'billing' } });
  expect(deletedKeys()).toEqual([lost.id, kept.id]);
});

test("batches from a member's playground end with the member, and those of others continue", async () => {
  await acme.asOwner('POST', '/api/account/members', { body: { name: 'lee', role: 'member' } });
  await join('kim');
  const { services } = daemon;
  const accountId = services.accounts.find('acme').id;
  // Nothing works on them while the account is suspended.
  await daemon.call('POST', '/api/accounts/acme/suspend');
  const open = (name: string) => {
    const keyId = playgroundOf(services.members.find(accountId, name).id);
    const id = `batch_of_${name}`;
    services.store
      .prepare(
        `INSERT INTO batches(id, account_id, key_id, input_file_id, endpoint, completion_window, metadata, status, created_at,
          expires_at) VALUES(?, ?, ?, 'file_1', '/v1/chat/completions', '24h', '{}', 'validating', ?, ?)`,
      )
      .run(id, accountId, keyId, services.clock.now(), services.clock.now() + 86_400_000);
    return id;
  };
  const [kims, lees] = [open('kim'), open('lee')];
  await acme.asOwner('DELETE', '/api/account/members/kim');
  const statuses = [kims, lees].map((id) => services.batches.get(id).status);
  expect(statuses).toEqual(['cancelling', 'validating']);
});

test('a member can lower the budget of their key, and only an owner can raise it', async () => {
  const kim = await join('kim');
  const { id } = await makeKey(kim);
  const path = `/api/keys/${id}`;
  const change = (call: Call, body: object) => call('PATCH', path, { body });
  expect((await change(acme.asOwner, { credits_per_month: 10, rpm: 5 })).status).toBe(200);
  for (const body of [
    { credits_per_month: 11 },
    { credits_per_month: null },
    { rpm: 6, tokens_per_month: 1 },
  ]) {
    const refused = await change(kim, body);
    expect([refused.status, codeOf(refused)]).toEqual([403, 'role_not_allowed']);
  }
  expect((await change(kim, { credits_per_month: 9, rpm: 5, tokens_per_month: 1_000 })).status).toBe(200);
  expect(codeOf(await change(kim, { tokens_per_month: 2_000 }))).toBe('role_not_allowed');
  expect((await change(acme.asOwner, { credits_per_month: null })).status).toBe(200);
  const accountId = daemon.services.accounts.find('acme').id;
  const budget = daemon.services.budgets.reportOne(accountId, id);
  expect(budget).toMatchObject({ creditsPerMonthN: null, tokensPerMonth: 1_000, rpm: 5 });
});

describe("a budget that an owner set on a member's key", () => {
  const budgetOf = async (call: Call, id: string) =>
    (await call('GET', '/api/keys')).json<ApiKey[]>().find((key) => key.id === id)?.budget;
  const set = (call: Call, id: string, body: object) => call('PATCH', `/api/keys/${id}`, { body });

  test('is shared by the keys that the member creates later, even when that key is revoked', async () => {
    const kim = await join('kim');
    const { id } = await makeKey(kim);
    await set(acme.asOwner, id, { credits_per_month: 10, rpm: 5 });
    await kim('DELETE', `/api/keys/${id}`);
    const second = await makeKey(kim);
    expect(await budgetOf(kim, second.id)).toMatchObject({ credits_per_month: 10, rpm: 5 });
    const accountId = daemon.services.accounts.find('acme').id;
    expect(daemon.services.budgets.reportOne(accountId, second.id).id).toBe(id);
    const richer = await kim('POST', '/api/keys', { body: { name: 'richer', credits_per_month: 11 } });
    expect([richer.status, codeOf(richer)]).toEqual([403, 'role_not_allowed']);
    expect(await budgetOf(await join('lee'), second.id)).toBeUndefined();
  });

  test('is changed for all of these keys at once, and ends for later ones when it is removed', async () => {
    const kim = await join('kim');
    const first = await makeKey(kim);
    await set(acme.asOwner, first.id, { credits_per_month: 10 });
    const second = await makeKey(kim);
    await set(acme.asOwner, second.id, { credits_per_month: 3 });
    expect(await budgetOf(kim, first.id)).toMatchObject({ credits_per_month: 3 });
    await set(acme.asOwner, first.id, { credits_per_month: null });
    const third = await makeKey(kim);
    for (const { id } of [second, third])
      expect(await budgetOf(kim, id)).toMatchObject({ credits_per_month: null });
  });

  test('differs from one that the member set, which applies to one key only', async () => {
    const kim = await join('kim');
    const first = await makeKey(kim);
    await set(kim, first.id, { credits_per_month: 1 });
    expect(await budgetOf(kim, (await makeKey(kim)).id)).toMatchObject({ credits_per_month: null });
  });
});

test('the metrics add up the credits and deliveries of all accounts', async () => {
  const { wallet, accounts } = daemon.services;
  await daemon.call('POST', '/api/accounts', { body: { name: 'poor' } });
  const total = accounts.list().reduce((sum, { id }) => sum + wallet.balance(id).balance, 0);
  const { text } = await daemon.call('GET', '/metrics');
  expect(accounts.list()).toHaveLength(3);
  expect(wallet.balance('acct_local').balance).toBeLessThan(total);
  expect(text).toContain(`\naskd_credits_balance ${total}\n`);
});
