import type { Clock } from '../../base/clock.ts';
import { Failure } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { Store } from '../../store/store.ts';
import { createChatNames, SELECT, type ChatOwner, type ChatRecord } from './names.ts';
import { nameFrom, textOf, titleOf, type Message } from './message.ts';
import { searchMessages, type MessageHit } from './search.ts';

export type Chats = ReturnType<typeof createChats>;

export type WholeChat = ChatRecord & { messages: Message[] };
export type ChatHit = Omit<MessageHit, 'chatId'> & { chat: ChatRecord };

export type ChatDraft = {
  name?: string | undefined;
  title?: string | undefined;
  model: string;
  system?: string | undefined;
  messages?: readonly Message[] | undefined;
  createdAtMs?: number;
  changedAtMs?: number;
};

export type ChatChange = {
  name?: string | undefined;
  title?: string | undefined;
  model?: string | undefined;
  system?: string | null | undefined;
  current?: string | null | undefined;
};

const UNTITLED = 'New conversation';
const MESSAGES_MAX = 10_000;

/** Saved conversations, with all their branches. */
export function createChats({ store, clock, owner }: { store: Store; clock: Clock; owner: ChatOwner }) {
  const { find, freeName, claimName } = createChatNames(store, owner);

  return {
    find,
    freeName,
    list(limit: number, after?: string): ChatRecord[] {
      const from = after === undefined ? undefined : find(after);
      const page = { ...owner, limit, id: from?.id ?? null, changed: from?.changedAtMs ?? 0 };
      return store.prepare<ChatRecord>(LIST).all(page);
    },
    read(chat: string): WholeChat {
      const found = find(chat);
      const rows = store.prepare<{ message: string }>(MESSAGES).all(found.id);
      return { ...found, messages: rows.map(({ message }) => JSON.parse(message) as Message) };
    },
    create({ messages = [], ...draft }: ChatDraft): WholeChat {
      const now = clock.now();
      const id = newId('chat', now);
      const title = draft.title ?? titleOf(messages) ?? UNTITLED;
      store.transaction(() => {
        if (draft.name !== undefined) claimName(draft.name);
        const name = draft.name ?? freeName(nameFrom(title));
        const { model, system = null, createdAtMs = now, changedAtMs = now } = draft;
        store.prepare(INSERT).run({ ...owner, id, name, title, model, system, createdAtMs, changedAtMs });
        for (const message of messages) write(store, id, message);
        store.prepare('UPDATE chats SET current = ? WHERE id = ?').run(messages.at(-1)?.id ?? null, id);
      });
      return this.read(id);
    },
    update(chat: string, change: ChatChange): ChatRecord {
      store.transaction(() => {
        const found = find(chat);
        if (change.name !== undefined && change.name !== found.name) claimName(change.name);
        if (change.current && !store.prepare(FIND_MESSAGE).get(found.id, change.current))
          throw new Failure('not_found', `The conversation has no message "${change.current}".`, {
            param: 'current',
          });
        const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
        // Switching branches or renaming does not change what was said.
        const changedAtMs =
          change.model !== undefined || change.system !== undefined ? clock.now() : found.changedAtMs;
        store.prepare(UPDATE).run({ ...found, ...given, changedAtMs });
        chat = found.id;
      });
      return find(chat);
    },
    /** Called while a reply arrives, so it does not wait for the disk. */
    put(chat: string, message: Message): ChatRecord {
      return store.relaxedTransaction(() => {
        const { id, title, messageCount } = find(chat);
        if (messageCount >= MESSAGES_MAX) throw tooManyMessages();
        write(store, id, message);
        const named = title === UNTITLED ? (titleOf([message]) ?? title) : title;
        store.prepare(TOUCH).run({ id, title: named, current: message.id, now: clock.now() });
        return find(id);
      });
    },
    remove(chat: string): string {
      const { id } = find(chat);
      store.transaction(() => store.prepare('DELETE FROM chats WHERE id = ?').run(id));
      return id;
    },
    search: (text: string, limit: number): ChatHit[] =>
      searchMessages(store, { owner, text, limit }).map(({ chatId, ...hit }) => ({
        ...hit,
        chat: find(chatId),
      })),
  };
}

function write(store: Store, chatId: string, message: Message): void {
  const { id, parent = null } = message;
  const known = store.prepare<{ parent: string | null }>(FIND_MESSAGE).get(chatId, id);
  if (known && known.parent !== parent) throw wrongParent('A message cannot be moved.');
  if (parent !== null && !store.prepare(FIND_MESSAGE).get(chatId, parent))
    throw wrongParent(`There is no message "${parent}" in this conversation.`);
  store.prepare(PUT_MESSAGE).run(chatId, id, parent, JSON.stringify(message), textOf(message));
}

function wrongParent(message: string): Failure {
  return new Failure('invalid_value', message, { param: 'parent' });
}

function tooManyMessages(): Failure {
  return new Failure(
    'invalid_value',
    `The conversation has ${MESSAGES_MAX} messages, which is the maximum.`,
    {
      details: { fix: 'start a new one' },
    },
  );
}

const LIST = `${SELECT}
  AND (@id IS NULL OR (changed_at, id) < (@changed, @id))
  ORDER BY changed_at DESC, id DESC LIMIT @limit`;

const MESSAGES = 'SELECT message FROM chat_messages WHERE chat_id = ? ORDER BY place';
const FIND_MESSAGE = 'SELECT parent FROM chat_messages WHERE chat_id = ? AND id = ?';

const INSERT = `
  INSERT INTO chats(id, account_id, member_id, name, title, model, system, created_at, changed_at)
  VALUES(@id, @accountId, @memberId, @name, @title, @model, @system, @createdAtMs, @changedAtMs)`;

const UPDATE = `
  UPDATE chats SET name = @name, title = @title, model = @model, system = @system, current = @current,
    changed_at = @changedAtMs WHERE id = @id`;

const TOUCH = 'UPDATE chats SET title = @title, current = @current, changed_at = @now WHERE id = @id';

const PUT_MESSAGE = `
  INSERT INTO chat_messages(chat_id, id, parent, message, text) VALUES(?, ?, ?, ?, ?)
  ON CONFLICT(chat_id, id) DO UPDATE SET message = excluded.message, text = excluded.text`;
