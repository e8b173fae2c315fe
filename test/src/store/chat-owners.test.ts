import { expect, onTestFinished, test } from 'vitest';
import { createChats } from '../../../src/responses/chats/chats.ts';
import { MIGRATIONS } from '../../../src/store/migrations.ts';
import { openStore } from '../../../src/store/store.ts';
import { settableClock } from '../../helpers/clock.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';
import { join } from 'node:path';

test('conversations from before accounts existed belong to the owner, and are still found by their words', () => {
  const path = join(temporaryFolder(), 'askd.db');
  const before = MIGRATIONS.findIndex((sql) => sql.includes('chats_owned'));
  const earlier = openStore(path, MIGRATIONS.slice(0, before));
  earlier.transaction(() => {
    earlier.prepare("INSERT INTO chats VALUES('chat_1', 'trip', 'A trip', 'm', NULL, 'b', 1, 2)").run();
    const put = earlier.prepare(
      'INSERT INTO chat_messages(place, chat_id, id, parent, message, text) VALUES(?, ?, ?, ?, ?, ?)',
    );
    put.run(7, 'chat_1', 'a', null, '{"id":"a","role":"user","content":"Where to?"}', 'Where to?');
    put.run(9, 'chat_1', 'b', 'a', '{"id":"b","parent":"a","role":"assistant","content":"Lisbon"}', 'Lisbon');
  });
  earlier.close();

  const store = openStore(path);
  onTestFinished(() => store.close());
  const of = (accountId: string, memberId: string | null = null) =>
    createChats({ store, clock: settableClock(), owner: { accountId, memberId } });
  const owner = of('acct_local');
  expect(owner.read('trip')).toMatchObject({
    current: 'b',
    messages: [{ id: 'a' }, { id: 'b', parent: 'a' }],
  });
  expect(owner.search('lisbon', 5).map(({ message }) => message)).toEqual(['b']);
  expect(of('acct_other').list(5)).toEqual([]);
  owner.put('trip', { id: 'c', parent: 'b', role: 'user', content: 'And then Porto?' });
  expect(owner.search('porto', 5).map(({ message }) => message)).toEqual(['c']);
  owner.remove('trip');
  expect(owner.search('lisbon', 5)).toEqual([]);
});
