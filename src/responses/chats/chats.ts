import type { Clock } from '../../base/clock.ts';
import { Failure } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { Store } from '../../store/store.ts';
import { nameFrom, textOf, titleOf, type Message } from './message.ts';
import { snippetOf, type Snippet } from './snippet.ts';

export type Chats = ReturnType<typeof createChats>;

export type ChatRecord = {
  id: string;
  name: string;
  title: string;
  model: string;
  system: string | null;
  current: string | null;
  createdAtMs: number;
  changedAtMs: number;
  messageCount: number;
};
export type WholeChat = ChatRecord & { messages: Message[] };
export type ChatHit = Snippet & { chat: ChatRecord; message: string; role: string };

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

/** The name of the last conversation that was given none. */
const LAST = 'last';
const UNTITLED = 'New conversation';
const MESSAGES_MAX = 10_000;

/** Conversations that people keep, with all their branches. */
export function createChats({ store, clock }: { store: Store; clock: Clock }) {
  const find = (chat: string): ChatRecord => {
    const row = store.prepare<ChatRecord>(
      `${SELECT} WHERE id = @chat OR name = @chat ORDER BY id = @chat DESC`,
    );
    const found = row.get({ chat });
    if (found) return found;
    throw new Failure('not_found', `There is no conversation named ${JSON.stringify(chat)}.`, {
      details: { fix: 'askd chats list' },
    });
  };

  const isTaken = (name: string) =>
    store.prepare('SELECT 1 FROM chats WHERE name = ?').get(name) !== undefined;

  function freeName(wanted: string): string {
    for (let count = 1; ; count++) {
      const name = count === 1 ? wanted : `${wanted}-${count}`;
      if (name !== LAST && !isTaken(name)) return name;
    }
  }

  /** The conversation that was the last one until now keeps a name of its own. */
  function claimName(name: string): void {
    if (!isTaken(name)) return;
    if (name !== LAST) throw nameTaken(name);
    const { id, title } = find(name);
    store.prepare('UPDATE chats SET name = ? WHERE id = ?').run(freeName(nameFrom(title)), id);
  }

  function write(chatId: string, message: Message): void {
    const { id, parent = null } = message;
    const known = store.prepare<{ parent: string | null }>(FIND_MESSAGE).get(chatId, id);
    if (known && known.parent !== parent) throw wrongParent('A message cannot move to another place.');
    if (parent !== null && !store.prepare(FIND_MESSAGE).get(chatId, parent))
      throw wrongParent(`There is no message "${parent}" in this conversation.`);
    store.prepare(PUT_MESSAGE).run(chatId, id, parent, JSON.stringify(message), textOf(message));
  }

  return {
    find,
    freeName,
    list(limit: number, after?: string): ChatRecord[] {
      const from = after === undefined ? undefined : find(after);
      const page = { limit, id: from?.id ?? null, changed: from?.changedAtMs ?? 0 };
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
        store.prepare(INSERT).run({ id, name, title, model, system, createdAtMs, changedAtMs });
        for (const message of messages) write(id, message);
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
        // Another branch or another name is no change of what was said.
        const changedAtMs =
          change.model !== undefined || change.system !== undefined ? clock.now() : found.changedAtMs;
        store.prepare(UPDATE).run({ ...found, ...given, changedAtMs });
        chat = found.id;
      });
      return find(chat);
    },
    /** Also while a reply arrives, so it does not wait for the disk. */
    put(chat: string, message: Message): ChatRecord {
      return store.relaxedTransaction(() => {
        const { id, title, messageCount } = find(chat);
        if (messageCount >= MESSAGES_MAX) throw tooManyMessages();
        write(id, message);
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
    search(text: string, limit: number): ChatHit[] {
      const words = text.split(/\s+/).filter(Boolean);
      if (words.length === 0) return [];
      const { sql, values } = searchQuery(words);
      const rows = store.prepare<Hit>(sql).all(...values, limit);
      return rows.map((row) => ({
        chat: find(row.chat),
        message: row.id,
        role: row.role,
        ...snippetOf(row.text, words),
      }));
    },
  };
}

type Hit = { chat: string; id: string; role: string; text: string };

/** The index is of three letters each, so shorter words are looked for in the texts themselves. */
function searchQuery(words: readonly string[]): { sql: string; values: string[] } {
  const long = words.filter((word) => [...word].length >= 3);
  const short = words.filter((word) => [...word].length < 3);
  const indexed =
    long.length === 0 ? [] : ['place IN (SELECT rowid FROM chat_index WHERE chat_index MATCH ?)'];
  const conditions = [...indexed, ...short.map(() => `text LIKE ? ESCAPE '\\'`)];
  const quoted = long.map((word) => `"${word.replaceAll('"', '""')}"`).join(' ');
  return {
    sql: `SELECT chat_id AS chat, id, message ->> 'role' AS role, text FROM chat_messages
      WHERE ${conditions.join(' AND ')} ORDER BY place DESC LIMIT ?`,
    values: [
      ...(long.length === 0 ? [] : [quoted]),
      ...short.map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`),
    ],
  };
}

function nameTaken(name: string): Failure {
  return new Failure('already_exists', `There is already a conversation named ${name}.`, {
    param: 'name',
    details: { fix: `choose another name, or delete that one: askd chats rm ${name}` },
  });
}

function wrongParent(message: string): Failure {
  return new Failure('invalid_value', message, { param: 'parent' });
}

function tooManyMessages(): Failure {
  return new Failure('invalid_value', `The conversation has ${MESSAGES_MAX} messages, which is the most.`, {
    details: { fix: 'start a new one' },
  });
}

const SELECT = `
  SELECT id, name, title, model, system, current, created_at AS createdAtMs, changed_at AS changedAtMs,
    (SELECT count(*) FROM chat_messages WHERE chat_id = chats.id) AS messageCount
  FROM chats`;

const LIST = `${SELECT}
  WHERE @id IS NULL OR (changed_at, id) < (@changed, @id)
  ORDER BY changed_at DESC, id DESC LIMIT @limit`;

const MESSAGES = 'SELECT message FROM chat_messages WHERE chat_id = ? ORDER BY place';
const FIND_MESSAGE = 'SELECT parent FROM chat_messages WHERE chat_id = ? AND id = ?';

const INSERT = `
  INSERT INTO chats(id, name, title, model, system, created_at, changed_at)
  VALUES(@id, @name, @title, @model, @system, @createdAtMs, @changedAtMs)`;

const UPDATE = `
  UPDATE chats SET name = @name, title = @title, model = @model, system = @system, current = @current,
    changed_at = @changedAtMs WHERE id = @id`;

const TOUCH = 'UPDATE chats SET title = @title, current = @current, changed_at = @now WHERE id = @id';

const PUT_MESSAGE = `
  INSERT INTO chat_messages(chat_id, id, parent, message, text) VALUES(?, ?, ?, ?, ?)
  ON CONFLICT(chat_id, id) DO UPDATE SET message = excluded.message, text = excluded.text`;
