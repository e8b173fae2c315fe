import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createChats } from '../../../../src/responses/chats/chats.ts';
import { takeOverChats } from '../../../../src/responses/chats/take-over.ts';
import { openStore } from '../../../../src/store/store.ts';
import { settableClock } from '../../../helpers/clock.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';

const PICTURE = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
/** As written by askd 0.x, byte by byte. */
const FILES = {
  'trip.json':
    '{"model":"svc-chat-v1","system":"be brief","messages":[{"role":"user","content":"Where to?"},{"role":"assistant","content":"Rome."}]}',
  'last.json': `{"model":"hf:a/b:Q4","messages":[{"role":"user","content":[{"type":"text","text":"What is it?"},${JSON.stringify(PICTURE)}]},{"role":"assistant","content":"A cat."}]}`,
  'empty.json': '{"model":"m","messages":[]}',
};

function open(files: Record<string, string> = FILES) {
  const store = openStore(':memory:');
  onTestFinished(() => store.close());
  const folder = join(temporaryFolder(), 'chats');
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const chats = createChats({
    store,
    clock: settableClock(),
    owner: { accountId: 'acct_local', memberId: null },
  });
  return { chats, folder, takeOver: () => takeOverChats(chats, folder) };
}

const plain = (messages: { role: string; content?: unknown }[]) =>
  messages.map(({ role, content }) => ({ role, content }));

test('every conversation in a file becomes one in the database, with all its contents', () => {
  const { chats, folder, takeOver } = open();
  const changed = new Date('2026-03-01T10:00:00Z');
  utimesSync(join(folder, 'trip.json'), changed, changed);
  expect(takeOver()).toEqual([]);
  for (const [file, text] of Object.entries(FILES)) {
    const old = JSON.parse(text) as { model: string; system?: string; messages: { role: string }[] };
    const { model, system, messages } = chats.read(file.replace('.json', ''));
    expect({ model, system, messages: plain(messages) }).toEqual({ ...old, system: old.system ?? null });
  }
  expect(chats.find('trip').changedAtMs).toBe(changed.getTime());
  expect(chats.read('trip').current).toBe(chats.read('trip').messages[1]?.id);
  expect(readdirSync(folder)).toEqual([]);
});

test('what is not a conversation is named and left as it is, and the others are imported', () => {
  const broken = {
    'cut.json': '{"model":"m","mess',
    'other.json': '{"model":"m","messages":[{"role":"user"}]}',
    'list.json': '[]',
    'null.json': 'null',
  };
  const { folder, takeOver } = open({ ...FILES, ...broken, 'notes.txt': 'mine' });
  expect(takeOver().sort()).toEqual(
    Object.keys(broken)
      .sort()
      .map((name) => join(folder, name)),
  );
  for (const [name, text] of Object.entries(broken))
    expect(readFileSync(join(folder, name), 'utf8')).toBe(text);
  expect(existsSync(join(folder, 'trip.json'))).toBe(false);
  expect(existsSync(join(folder, 'notes.txt'))).toBe(true);
});

test('a file whose conversation already exists adds no second one, and another one of that name is kept too', () => {
  const { chats, folder, takeOver } = open();
  takeOver();
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, 'trip.json'), FILES['trip.json'].replace('Rome', 'Oslo'));
  takeOver();
  expect(
    chats
      .list(10)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['empty', 'last', 'trip', 'trip-2']);
  expect(chats.read('trip-2').messages[1]?.content).toBe('Oslo.');
});

test('a folder that does not exist has no conversations', () => {
  const { chats } = open();
  expect(takeOverChats(chats, '/nonexistent/chats')).toEqual([]);
});
