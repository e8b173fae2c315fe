import { LAST_CHAT, type ChatSummary } from '../../src/api/management/chats.ts';
import type { ChatMessage } from '../../src/api/chat/chat.ts';
import { Failure } from '../../src/base/errors.ts';
import { newId } from '../../src/base/ids.ts';
import type { Client } from '../client/client.ts';
import { formatCount } from '../output/format.ts';
import { lineTo, toChatMessage } from './branches.ts';

type ChatCalls = Client['chats'];
/** The conversations of this machine's daemon; undefined if none is running to save them. */
export type ChatStore = () => Promise<ChatCalls | undefined>;

type Subject = { options: { model: string; system?: string }; messages: ChatMessage[] };

const NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;
const SAY_NAME = 'A name may contain letters, digits, dots and dashes: /save holiday-plans';
const PAGE = 200;

export function isChatName(name: string): boolean {
  return NAME.test(name);
}

export type SavedChat = ReturnType<typeof createSavedChat>;

/** A conversation of the command line, and the one in the database that it continues. */
export function createSavedChat(store: ChatStore) {
  let id: string | undefined;
  let name = LAST_CHAT;
  let isNamed = false;
  let saved: { model: string; system?: string | undefined } = { model: '' };
  const ids = new WeakMap<ChatMessage, string>();
  const written = new WeakSet<ChatMessage>();

  async function load(talk: Subject, wanted: string): Promise<void> {
    const chat = await (await required(store)).get(wanted);
    const line = lineTo(chat.messages, chat.current);
    talk.options.model = chat.model;
    delete talk.options.system;
    if (chat.system !== null) talk.options.system = chat.system;
    const messages = line.map(toChatMessage);
    messages.forEach((message, index) => {
      ids.set(message, line[index]?.id ?? '');
      written.add(message);
    });
    talk.messages.splice(0, talk.messages.length, ...messages);
    id = chat.id;
    name = chat.name;
    isNamed = name !== LAST_CHAT;
    saved = { model: talk.options.model, system: talk.options.system };
  }

  function idOf(message: ChatMessage): string {
    const known = ids.get(message) ?? newId('msg');
    ids.set(message, known);
    return known;
  }

  /** Each after the one before it. */
  function toEntry(message: ChatMessage, line: readonly ChatMessage[]) {
    const before = line[line.indexOf(message) - 1];
    return { ...message, id: idOf(message), ...(before && { parent: idOf(before) }) };
  }

  async function create(chats: ChatCalls, { options, messages }: Subject): Promise<void> {
    const { model, system } = options;
    const body = {
      name,
      model,
      ...(system && { system }),
      messages: messages.map((each) => toEntry(each, messages)),
    };
    ({ id } = await chats.create(body));
    for (const message of messages) written.add(message);
    saved = { model, system };
  }

  /** Writes what the database does not have yet. `partial` is written again, since more of it has arrived. */
  async function write(talk: Subject, partial?: ChatMessage): Promise<void> {
    const chats = await store();
    if (chats === undefined) return;
    if (id === undefined) return create(chats, talk);
    const { model, system } = talk.options;
    try {
      if (saved.model !== model || saved.system !== system)
        await chats.update(id, { model, system: system || null });
      for (const message of talk.messages) {
        if (written.has(message) && message !== partial) continue;
        await chats.put(id, toEntry(message, talk.messages));
        written.add(message);
      }
      saved = { model, system };
    } catch (error) {
      // It was deleted in the meantime, in another window.
      if (!(error instanceof Failure) || error.code !== 'not_found') throw error;
      await create(chats, talk);
    }
  }

  return {
    get name() {
      return name;
    },
    /** Whether the user chose that name. */
    get isNamed() {
      return isNamed;
    },
    store,
    load,
    write,
    /** For --session: continues the conversation with this name, or starts it. */
    async open(talk: Subject, wanted: string): Promise<void> {
      try {
        await load(talk, wanted);
      } catch (error) {
        if (!(error instanceof Failure) || error.code !== 'not_found') throw error;
      }
      name = wanted;
      isNamed = true;
    },
    /** For `/save`. An unnamed conversation gets this name; a named one is copied. */
    async saveAs(talk: Subject, wanted: string): Promise<void> {
      if (isNamed && wanted === name) return write(talk);
      const chats = await required(store);
      if (isNamed) {
        const copy = createSavedChat(store);
        return copy.saveAs(
          { options: talk.options, messages: talk.messages.map((each) => ({ ...each })) },
          wanted,
        );
      }
      if (id !== undefined) await chats.update(id, { name: wanted });
      const before = name;
      name = wanted;
      try {
        await write(talk);
      } catch (error) {
        name = before;
        throw error;
      }
      isNamed = true;
    },
  };
}

/** For `/save`. Returns what to print. */
export async function saveChat(talk: Subject & { saved: SavedChat }, name: string): Promise<string> {
  if (!isChatName(name)) return SAY_NAME;
  return orReason(async () => {
    await talk.saved.saveAs(talk, name);
    return `Saved as ${name}. To continue it later: /load ${name}, or askd chat --session ${name}`;
  });
}

/** For `/load`. */
export async function loadChat(talk: Subject & { saved: SavedChat }, name: string): Promise<string> {
  return orReason(async () => {
    if (name === '') return describeChats(await listChats(talk.saved.store));
    await talk.saved.load(talk, name);
    return `${name}: ${formatCount(talk.messages.length, 'message')} with ${talk.options.model}.`;
  });
}

/** All saved conversations, most recent first. */
export async function listChats(store: ChatStore): Promise<ChatSummary[]> {
  const chats = await required(store);
  const all: ChatSummary[] = [];
  for (;;) {
    const after = all.at(-1)?.id;
    const { data, has_more: more } = await chats.list({ limit: PAGE, ...(after !== undefined && { after }) });
    all.push(...data);
    if (!more || data.length === 0) return all;
  }
}

async function orReason(work: () => Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const fix = error.details['fix'];
    return typeof fix === 'string' ? `${error.message} To fix it: ${fix}` : error.message;
  }
}

async function required(store: ChatStore): Promise<ChatCalls> {
  const chats = await store();
  if (chats !== undefined) return chats;
  throw new Failure(
    'daemon_unreachable',
    'Conversations are kept by the daemon of this machine, which is not running.',
    {
      details: { fix: 'askd up' },
    },
  );
}

function describeChats(chats: readonly ChatSummary[]): string {
  const names = chats.map(({ name }) => name);
  return names.length === 0 ? 'No conversation is saved yet: /save NAME' : `Saved: ${names.join(', ')}`;
}
