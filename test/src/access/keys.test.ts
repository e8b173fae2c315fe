import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { generateKey, isWellFormed } from '../../../src/access/key-format.ts';
import { openAccounts } from '../../helpers/accounts/accounts.ts';

const newKey = { accountId: 'acct', name: 'test', scopes: ['chat', 'read'], expiresAt: null };

describe('the format of a key', () => {
  test('is ask_, 40 random characters and a checksum of 6', () => {
    const key = generateKey();
    expect(key).toMatch(/^ask_[0-9A-Za-z]{46}$/);
    expect(isWellFormed(key)).toBe(true);
  });

  test('shows any single changed character', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 45 }), fc.integer({ min: 1, max: 61 }), (position, shift) => {
        const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
        const key = generateKey();
        const at = 4 + position;
        const other = alphabet[(alphabet.indexOf(key.charAt(at)) + shift) % 62] ?? '';
        expect(isWellFormed(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
      }),
    );
  });
});

describe('keys', () => {
  test('are verified to their account and scopes', () => {
    const { keys } = openAccounts();
    const { key, id } = keys.create(newKey);
    expect(keys.verify(key)).toEqual({ accountId: 'acct', keyId: id, scopes: ['chat', 'read'] });
  });

  test('are stored only as hashes', () => {
    const { keys, store } = openAccounts();
    const { key } = keys.create(newKey);
    const row = JSON.stringify(store.prepare('SELECT * FROM api_keys').get());
    expect(row).not.toContain(key);
    expect(row).not.toContain(key.slice(9, 40));
  });

  test('that were never issued are refused with one message, without an echo', () => {
    const { keys } = openAccounts();
    for (const wrong of [generateKey(), 'ask_short', '', "ask_' OR 1=1 --", `sk-${'a'.repeat(48)}`]) {
      expect(() => keys.verify(wrong)).toThrow(expect.objectContaining({ code: 'invalid_api_key' }));
      if (wrong !== '') expect(() => keys.verify(wrong)).not.toThrow(wrong);
    }
  });

  test('stop working when revoked, and leave the list', () => {
    const { keys } = openAccounts();
    const { key, id } = keys.create(newKey);
    keys.revoke('acct', id);
    expect(() => keys.verify(key)).toThrow(expect.objectContaining({ code: 'invalid_api_key' }));
    expect(keys.list('acct')).toEqual([]);
    expect(() => keys.revoke('acct', id)).toThrow(expect.objectContaining({ code: 'not_found' }));
  });

  test('of another account cannot be revoked', () => {
    const { keys } = openAccounts();
    const { id } = keys.create(newKey);
    expect(() => keys.revoke('somebody-else', id)).toThrow(expect.objectContaining({ code: 'not_found' }));
  });

  test('stop working when they expire', () => {
    const { keys, clock } = openAccounts();
    const { key } = keys.create({ ...newKey, expiresAt: clock.now() + 1000 });
    keys.verify(key);
    clock.advance(1000);
    expect(() => keys.verify(key)).toThrow(expect.objectContaining({ code: 'expired_api_key' }));
  });

  test('are ten at most, and one that ended makes room', () => {
    const { keys, clock } = openAccounts();
    const made = Array.from({ length: 9 }, () => keys.create(newKey));
    keys.create({ ...newKey, expiresAt: clock.now() + 1000 });
    expect(() => keys.create(newKey)).toThrow(expect.objectContaining({ code: 'key_limit_reached' }));
    clock.advance(1000);
    keys.create(newKey);
    expect(() => keys.create(newKey)).toThrow(expect.objectContaining({ code: 'key_limit_reached' }));
    keys.revoke('acct', made[0]?.id ?? '');
    keys.create(newKey);
    expect(keys.countActive('acct')).toBe(10);
  });

  test('are listed newest first without their secrets', () => {
    const { keys, clock } = openAccounts();
    keys.create({ ...newKey, name: 'older' });
    clock.advance(1000);
    const { key } = keys.create({ ...newKey, name: 'newer' });
    const list = keys.list('acct');
    expect(list.map(({ name }) => name)).toEqual(['newer', 'older']);
    expect(list[0]?.key_prefix).toBe(key.slice(0, 8));
    expect(JSON.stringify(list)).not.toContain(key);
  });

  test('created in the same millisecond are listed in order too', () => {
    const { keys } = openAccounts();
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    for (const name of names) keys.create({ ...newKey, name });
    expect(keys.list('acct').map(({ name }) => name)).toEqual(names.toReversed());
  });

  test('record their last use without a write for each', () => {
    const { keys, store, clock } = openAccounts();
    const { key } = keys.create(newKey);
    expect(keys.list('acct')[0]?.last_used_at).toBeNull();
    clock.advance(5000);
    keys.verify(key);
    const used = new Date(clock.now()).toISOString();
    expect(keys.list('acct')[0]?.last_used_at).toBe(used);
    expect(store.prepare('SELECT last_used_at FROM api_keys').get()).toEqual({ last_used_at: null });
    keys.flushLastUses();
    expect(store.prepare('SELECT last_used_at FROM api_keys').get()).toEqual({ last_used_at: clock.now() });
  });

  test('record their creation and end as events, without the secret', () => {
    const { keys, events } = openAccounts();
    const { id, key } = keys.create(newKey);
    keys.revoke('acct', id);
    const recorded = events.after(0);
    expect(recorded.map(({ type }) => type)).toEqual(['api_key.created', 'api_key.deleted']);
    expect(JSON.stringify(recorded)).not.toContain(key);
  });
});
