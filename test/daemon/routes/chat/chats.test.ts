import { expect, test } from 'vitest';
import type { ChatSummary, SavedChat } from '../../../../src/api/management/chats.ts';
import { startDaemon } from '../../../helpers/daemon/daemon.ts';

const CHATS = '/api/daemon/chats';

async function open() {
  const { call, key, services } = await startDaemon();
  const create = async (body: object = {}) => {
    const reply = await call('POST', CHATS, { body: { model: 'm', ...body } });
    expect([reply.status, reply.text]).toEqual([201, expect.any(String)]);
    return reply.json<SavedChat>();
  };
  return { call, key, services, create };
}

test('a conversation is saved, read by name and by id, changed, found and deleted', async () => {
  const { call, create } = await open();
  const message = { id: 'q', role: 'user', content: 'Where is the harbour?' };
  const { id, name } = await create({ system: 'be kind', messages: [message] });
  expect(name).toBe('where-is-the-harbour');
  await call('PUT', `${CHATS}/${name}/messages`, {
    body: {
      id: 'a',
      parent: 'q',
      role: 'assistant',
      content: 'There.',
      reasoning_content: 'Hm.',
      model: 'm',
    },
  });
  const renamed = await call('PATCH', `${CHATS}/${id}`, { body: { name: 'sea', system: null } });
  expect(renamed.json()).toMatchObject({ id, name: 'sea', messages: 2 });
  expect((await call('GET', `${CHATS}/sea`)).json()).toMatchObject({
    id,
    system: null,
    current: 'a',
    messages: [message, { parent: 'q', reasoning_content: 'Hm.' }],
  });
  const found = await call('POST', `${CHATS}/search`, { body: { text: 'HARBOUR' } });
  expect(found.json()).toMatchObject({
    data: [{ chat: { name: 'sea' }, message: 'q', role: 'user', marks: [[13, 20]] }],
  });
  expect((await call('DELETE', `${CHATS}/sea`)).json()).toEqual({ id, deleted: true });
  expect((await call('GET', `${CHATS}/sea`)).status).toBe(404);
});

test('the list is read page by page', async () => {
  const { call, create } = await open();
  for (const name of ['a', 'b', 'c']) await create({ name });
  const first = (await call('GET', `${CHATS}?limit=2`)).json<{ data: ChatSummary[]; has_more: boolean }>();
  expect(first).toMatchObject({ data: [{ name: 'c' }, { name: 'b' }], has_more: true });
  const next = await call('GET', `${CHATS}?limit=2&after=${first.data[1]?.id}`);
  expect(next.json()).toMatchObject({ data: [{ name: 'a' }], has_more: false });
});

test.each([
  ['a name that is a path', { name: '../x' }, 400],
  ['a message without an id', { messages: [{ role: 'user', content: 'x' }] }, 400],
  ['a message of an unknown role', { messages: [{ id: 'a', role: 'king', content: 'x' }] }, 400],
  ['a parent that is not there', { messages: [{ id: 'a', parent: 'b', role: 'user', content: 'x' }] }, 400],
  ['a name that is taken', { name: 'taken' }, 409],
])('%s is rejected and leaves nothing behind', async (_, body, status) => {
  const { call, create } = await open();
  await create({ name: 'taken' });
  expect((await call('POST', CHATS, { body: { model: 'm', ...body } })).status).toBe(status);
  expect((await call('GET', CHATS)).json<{ data: unknown[] }>().data).toHaveLength(1);
});

test('only the owner and keys with the scope admin can read what people wrote', async () => {
  const { call, create, key, services } = await open();
  await create({ name: 'secret' });
  const admin = services.keys.create({
    accountId: 'acct_local',
    name: 'admin',
    scopes: ['admin'],
    expiresAt: null,
  });
  const statusWith = async (token: string | null, path = `${CHATS}/secret`) =>
    (await call('GET', path, { token })).status;
  expect([await statusWith(null), await statusWith(key), await statusWith(key, CHATS)]).toEqual([
    401, 403, 403,
  ]);
  expect(await statusWith(admin.key)).toBe(200);
});
