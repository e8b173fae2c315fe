import { expect, test } from 'vitest';
import { createLastUses } from '../../../src/access/last-uses.ts';
import { openStore } from '../../../src/store/store.ts';

test('a use that cannot be written to a full disk causes no failure, and is written with the next ones', () => {
  const store = openStore(':memory:');
  let isFull = true;
  const uses = createLastUses({
    store: {
      ...store,
      transaction: (work) => {
        if (isFull) throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
        return store.transaction(work);
      },
    },
  });
  store
    .prepare(
      "INSERT INTO api_keys(id, account_id, name, hash, prefix, last_four, scopes, created_at) VALUES('k', 'acct_local', 'k', zeroblob(32), 'ask_', 'abcd', 'chat', 1)",
    )
    .run();
  const kept = () => store.prepare<{ at: number }>('SELECT last_used_at AS at FROM api_keys').get()?.at;
  uses.note('k', 5);
  uses.flush();
  expect([kept(), uses.of('k')]).toEqual([null, 5]);
  isFull = false;
  uses.flush();
  expect(kept()).toBe(5);
  uses.close();
  store.close();
});
