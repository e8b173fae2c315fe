import { expect, test } from 'vitest';
import type { SavedChat, SavedMessage } from '../../../../src/api/management/chats.ts';
import { NO_CHAT, reduceChat, type ChatAction, type ChatState } from '../../../../cli/tui/chat/state.ts';

const at = '2027-01-31T12:00:00.000Z';
const message = (id: string, parent?: string): SavedMessage => ({
  ...{ id, role: 'user', content: id },
  ...(parent !== undefined && { parent }),
});
const conversation = (id: string, ...messages: SavedMessage[]): SavedChat => ({
  ...{ id, name: id, title: id, model: 'm', created_at: at, changed_at: at, system: null, messages },
  current: messages.at(-1)?.id ?? null,
});
const happen = (state: ChatState, ...actions: ChatAction[]) => actions.reduce(reduceChat, state);

test('an answer grows, and its message takes its place', () => {
  const arriving = happen(
    NO_CHAT,
    { kind: 'loaded', conversation: conversation('a', message('1')) },
    { kind: 'begun', chat: 'a', reply: { id: '2', parent: '1', model: 'm' } },
    { kind: 'arrived', chat: 'a', thought: 'hm' },
    { kind: 'arrived', chat: 'a', text: 'one ' },
    { kind: 'arrived', chat: 'a', text: 'two' },
  );
  expect(arriving.replies['a']).toMatchObject({ text: 'one two', thought: 'hm' });
  const over = happen(
    arriving,
    { kind: 'message', chat: 'a', message: message('2', '1') },
    { kind: 'ended', chat: 'a' },
  );
  expect(over.replies).toEqual({});
  expect(over.conversations['a']).toMatchObject({ current: '2', messages: [{ id: '1' }, { id: '2' }] });
});

test('a failure stays with what had arrived, until the next answer', () => {
  const failed = happen(
    NO_CHAT,
    { kind: 'begun', chat: 'a', reply: { id: '2', parent: '1', model: 'm' } },
    { kind: 'arrived', chat: 'a', text: 'half' },
    { kind: 'ended', chat: 'a', failure: 'gone' },
  );
  expect(failed.replies['a']).toMatchObject({ text: 'half', failure: 'gone' });
  const again = happen(failed, { kind: 'begun', chat: 'a', reply: { id: '3', parent: '1', model: 'm' } });
  expect(again.replies['a']).toEqual({ id: '3', parent: '1', model: 'm', text: '', thought: '' });
});

test('what was added while the daemon answered stays, and what is equal is the same object', () => {
  const first = message('1');
  const known = happen(
    NO_CHAT,
    { kind: 'loaded', conversation: conversation('a', first) },
    { kind: 'message', chat: 'a', message: message('2', '1') },
  );
  const fetched = happen(known, { kind: 'loaded', conversation: conversation('a', message('1')) });
  expect(fetched.conversations['a']).toMatchObject({ current: '2', messages: [{ id: '1' }, { id: '2' }] });
  expect(fetched.conversations['a']?.messages[0]).toBe(first);
});

test('of the conversations that were opened, the latest are kept', () => {
  const all = Array.from({ length: 30 }, (_, index) => conversation(`c${index}`));
  const state = happen(NO_CHAT, ...all.map((each) => ({ kind: 'loaded', conversation: each }) as const));
  expect(Object.keys(state.conversations)).toEqual(all.slice(-20).map(({ id }) => id));
});
