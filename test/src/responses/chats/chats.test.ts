import { expect, onTestFinished, test } from 'vitest';
import { createChats } from '../../../../src/responses/chats/chats.ts';
import { openStore } from '../../../../src/store/store.ts';
import { settableClock } from '../../../helpers/clock.ts';

function open() {
  const clock = settableClock();
  const store = openStore(':memory:');
  onTestFinished(() => store.close());
  const owner = { accountId: 'acct_local', memberId: null };
  return { clock, store, chats: createChats({ store, clock, owner }) };
}

const user = (id: string, content: string, parent?: string) => ({
  id,
  role: 'user',
  content,
  ...(parent !== undefined && { parent }),
});
const texts = (hits: { snippet: string }[]) => hits.map(({ snippet }) => snippet);

test('a conversation without a name gets one from its first question, and no two have the same', () => {
  const { chats } = open();
  const draft = { model: 'm', messages: [user('a', 'Où est le café?\nIn the town')] };
  expect(chats.create(draft)).toMatchObject({ name: 'ou-est-le-cafe', title: 'Où est le café?' });
  expect(chats.create(draft).name).toBe('ou-est-le-cafe-2');
  expect(chats.create({ model: 'm', messages: [user('a', '天気は?')] }).name).toBe('chat');
  expect(() => chats.create({ ...draft, name: 'chat' })).toThrow('already a conversation named chat');
});

test('a new "last" leaves the previous one its own name', () => {
  const { chats } = open();
  const first = chats.create({ name: 'last', model: 'm', messages: [user('a', 'Last')] });
  const second = chats.create({ name: 'last', model: 'm', messages: [user('a', 'two')] });
  expect(chats.find('last').id).toBe(second.id);
  expect(chats.find(first.id).name).toBe('last-2');
});

test('an edited question and another answer are branches, and the old branch stays', () => {
  const { chats } = open();
  const { id } = chats.create({ model: 'm', messages: [user('q', 'one')] });
  chats.put(id, { id: 'a', parent: 'q', role: 'assistant', content: 'first' });
  chats.put(id, { id: 'b', parent: 'q', role: 'assistant', content: 'second' });
  chats.put(id, user('r', 'edited'));
  const read = chats.read(id);
  expect(read.messages.map((each) => [each.id, each.parent])).toEqual([
    ['q', undefined],
    ['a', 'q'],
    ['b', 'q'],
    ['r', undefined],
  ]);
  expect(read.current).toBe('r');
  expect(chats.update(id, { current: 'a' }).current).toBe('a');
  expect(() => chats.update(id, { current: 'zzz' })).toThrow('no message "zzz"');
});

test('a message that is saved again is replaced in place and cannot move', () => {
  const { chats } = open();
  const { id } = chats.create({ model: 'm', messages: [user('q', 'one')] });
  chats.put(id, { id: 'a', parent: 'q', role: 'assistant', content: 'par' });
  chats.put(id, { id: 'a', parent: 'q', role: 'assistant', content: 'partly' });
  expect(chats.read(id).messages.map(({ content }) => content)).toEqual(['one', 'partly']);
  expect(() => chats.put(id, { id: 'a', role: 'assistant', content: 'x' })).toThrow('cannot be moved');
  expect(() => chats.put(id, user('n', 'x', 'nowhere'))).toThrow('no message "nowhere"');
});

test('the list is latest first and continues after the last of a page, even if two changed at the same moment', () => {
  const { chats, clock } = open();
  for (const name of ['a', 'b', 'c', 'd']) chats.create({ name, model: 'm' });
  clock.advance(1000);
  chats.put('b', user('q', 'hi'));
  const names = (limit: number, after?: string) => chats.list(limit, after).map(({ name }) => name);
  const all = names(10);
  expect(all[0]).toBe('b');
  expect([...names(2), ...names(2, all[1])]).toEqual(all);
});

test('search finds all words in any case and without accents, within words, in short words, and literally', () => {
  const { chats } = open();
  chats.create({
    name: 'sea',
    model: 'm',
    messages: [user('a', 'The Harbour café at 5 o’clock, 100% "sure"')],
  });
  chats.create({ name: 'sky', model: 'm', messages: [user('a', '今日の天気はどうですか')] });
  const found = (text: string) => chats.search(text, 10).map(({ chat }) => chat.name);
  for (const text of ['harbour', 'CAFE', 'arbou clock', 'at', '100%', '"sure"', 'harb 5'])
    expect([text, found(text)]).toEqual([text, ['sea']]);
  for (const text of ['天気', '今日の', '天']) expect(found(text)).toEqual(['sky']);
  for (const text of ['harbour 天気', '__', '10_%', 'OR', '  '])
    expect([text, found(text)]).toEqual([text, []]);
});

test('the index follows changed messages and deleted conversations', () => {
  const { chats, store } = open();
  const { id } = chats.create({ model: 'm', messages: [user('a', 'elephant')] });
  chats.put(id, user('a', 'giraffe'));
  expect(chats.search('elephant', 10)).toEqual([]);
  expect(texts(chats.search('giraffe', 10))).toEqual(['giraffe']);
  chats.put(id, user('b', 'giraffes again', 'a'));
  chats.remove(id);
  expect(chats.search('giraffe', 10)).toEqual([]);
  expect(store.prepare('SELECT count(*) AS rows FROM chat_messages').get()).toEqual({ rows: 0 });
  store.prepare("INSERT INTO chat_index(chat_index) VALUES('integrity-check')").run();
});

test('each owner has their own conversations, with their own names', () => {
  const { store, clock, chats } = open();
  const others = createChats({ store, clock, owner: { accountId: 'acct_other', memberId: null } });
  const draft = { name: 'trip', model: 'm', messages: [user('a', 'Where to?')] };
  const { id } = chats.create(draft);
  expect(others.create(draft).name).toBe('trip');
  expect(others.search('where', 5).map(({ chat }) => chat.id)).not.toContain(id);
  expect(others.list(5)).toHaveLength(1);
  expect(() => others.read(id)).toThrow('no conversation named');
  expect(() => others.put(id, user('b', 'mine'))).toThrow('no conversation named');
  expect(() => others.update(id, { title: 'mine' })).toThrow('no conversation named');
  expect(() => others.remove(id)).toThrow('no conversation named');
  expect(() => others.list(5, id)).toThrow('no conversation named');
  others.remove('trip');
  expect(chats.read('trip').id).toBe(id);
});
