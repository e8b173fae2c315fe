import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isWellFormed } from '../../../src/access/key-format.ts';
import { createSessions } from '../../../src/access/sessions.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';
import { openAccounts } from '../../helpers/accounts/accounts.ts';

const ACCOUNT = 'acct_local';
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

function openSession(path?: string) {
  const parts = openAccounts(path);
  const sessions = createSessions(parts);
  const { id } = sessions.open({ accountId: ACCOUNT, kind: 'browser' });
  const rows = () => parts.store.prepare<{ n: number }>('SELECT count(*) AS n FROM session_keys').get()?.n;
  return { ...parts, sessions, id, rows, issue: () => parts.keys.issueForSession(id).key };
}

test('a session key looks like any key, is known by its hash, and counts as the playground', () => {
  const { store, keys, id } = openSession();
  const { key, scopes, createdAt, expiresAt } = keys.issueForSession(id);
  expect([isWellFormed(key), expiresAt - createdAt]).toEqual([true, 15 * MINUTE_MS]);
  expect(keys.verify(key)).toEqual({ accountId: ACCOUNT, keyId: 'playground', sessionId: id, scopes });
  expect(scopes).toEqual(['chat', 'read']);
  expect(JSON.stringify(store.prepare('SELECT * FROM session_keys').all())).not.toContain(key);
});

test('it ends after fifteen minutes, and says so', () => {
  const { clock, keys, issue } = openSession();
  const key = issue();
  clock.advance(15 * MINUTE_MS - 1);
  expect(keys.verify(key).keyId).toBe('playground');
  clock.advance(1);
  expect(() => keys.verify(key)).toThrow(expect.objectContaining({ code: 'expired_api_key' }));
});

test('it never outlives its session', () => {
  const { clock, keys, sessions } = openSession();
  const { id, token } = sessions.open({ accountId: ACCOUNT, kind: 'script' });
  for (let day = 0; day < 29; day++) {
    clock.advance(DAY_MS);
    sessions.verify(token);
  }
  clock.advance(DAY_MS - MINUTE_MS);
  const { key, expiresAt } = keys.issueForSession(id);
  expect(expiresAt - clock.now()).toBe(MINUTE_MS);
  clock.advance(MINUTE_MS);
  expect(() => keys.verify(key)).toThrow(expect.objectContaining({ code: 'invalid_api_key' }));
});

test.each([
  ['revoked', ({ sessions, id }: ReturnType<typeof openSession>) => sessions.revoke(ACCOUNT, id)],
  ['ended with all others', ({ sessions }: ReturnType<typeof openSession>) => sessions.revokeAll(ACCOUNT)],
])('a session that is %s ends its keys too', (_how, end) => {
  const parts = openSession();
  const [first, second] = [parts.issue(), parts.issue()];
  end(parts);
  for (const key of [first, second]) {
    expect(() => parts.keys.verify(key)).toThrow(expect.objectContaining({ code: 'invalid_api_key' }));
  }
  expect(parts.rows()).toBe(0);
  expect(parts.issue).toThrow(expect.objectContaining({ code: 'not_authenticated' }));
});

test('a page that asks every fourteen minutes always has a key, and the previous one still works', () => {
  const { clock, keys, sessions, issue, rows } = openSession();
  let key = issue();
  for (let ask = 0; ask < 100; ask++) {
    clock.advance(14 * MINUTE_MS);
    const next = issue();
    expect([keys.verify(key).keyId, keys.verify(next).keyId]).toEqual(['playground', 'playground']);
    key = next;
  }
  expect(rows()).toBe(2);
  expect(sessions.list(ACCOUNT)).toHaveLength(1);
});

test('a session has at most 32 keys: its oldest makes room, not those of other sessions', () => {
  const { clock, keys, sessions, issue, rows } = openSession();
  const other = keys.issueForSession(sessions.open({ accountId: ACCOUNT, kind: 'browser' }).id).key;
  const issued = Array.from({ length: 33 }, () => {
    clock.advance(1);
    return issue();
  });
  expect(rows()).toBe(33);
  expect(() => keys.verify(issued[0] ?? '')).toThrow(expect.objectContaining({ code: 'invalid_api_key' }));
  for (const key of [other, ...issued.slice(1)]) expect(keys.verify(key).keyId).toBe('playground');
});

test("session keys are not listed, record no event and do not count towards the account's ten keys", () => {
  const { store, keys, issue } = openSession();
  for (let n = 0; n < 12; n++) issue();
  expect([keys.list(ACCOUNT), keys.countActive(ACCOUNT)]).toEqual([[], 0]);
  expect(store.prepare('SELECT * FROM events').all()).toEqual([]);
});

test('it survives a restart', () => {
  const path = join(temporaryFolder(), 'askd.db');
  const before = openSession(path);
  const key = before.issue();
  before.store.close();
  const after = openAccounts(path);
  expect(after.keys.verify(key).sessionId).toBe(before.id);
});
