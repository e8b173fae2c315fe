import {
  createChat,
  deleteChat,
  getChat,
  listChats,
  putChatMessage,
  searchChats,
  updateChat,
  type ChatSummary,
  type SavedChat,
  type SavedMessage,
} from '../../../src/api/management/chats.ts';
import { toIso } from '../../../src/base/clock.ts';
import type { WholeChat } from '../../../src/responses/chats/chats.ts';
import type { ChatRecord } from '../../../src/responses/chats/names.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';

export function registerChats(register: RegisterRoute, { chats }: Services): void {
  register(listChats, ({ query: { limit = 50, after } }) => {
    const found = chats.list(limit + 1, after);
    return { data: found.slice(0, limit).map(toSummary), has_more: found.length > limit };
  });
  register(createChat, ({ body }) => toChat(chats.create(body)));
  register(searchChats, ({ body: { text, limit = 50 } }) => ({
    data: chats.search(text, limit).map((hit) => ({ ...hit, chat: toSummary(hit.chat) })),
  }));
  register(getChat, ({ params: { chat = '' } }) => toChat(chats.read(chat)));
  register(updateChat, ({ params: { chat = '' }, body }) => toSummary(chats.update(chat, body)));
  register(putChatMessage, ({ params: { chat = '' }, body }) => toSummary(chats.put(chat, body)));
  register(deleteChat, ({ params: { chat = '' } }) => ({ id: chats.remove(chat), deleted: true as const }));
}

function toSummary({ messageCount, ...chat }: ChatRecord): ChatSummary {
  return { ...described(chat), messages: messageCount };
}

function toChat({ messages, ...chat }: WholeChat): SavedChat {
  const { system, current } = chat;
  // As they were checked when they were saved.
  return { ...described(chat), system, current, messages: messages as SavedMessage[] };
}

function described({ id, name, title, model, createdAtMs, changedAtMs }: Omit<ChatRecord, 'messageCount'>) {
  return { id, name, title, model, created_at: toIso(createdAtMs), changed_at: toIso(changedAtMs) };
}
