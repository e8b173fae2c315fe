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
import type { Principal } from '../../../src/access/keys.ts';
import { toIso } from '../../../src/base/clock.ts';
import type { WholeChat } from '../../../src/responses/chats/chats.ts';
import type { ChatRecord } from '../../../src/responses/chats/names.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';

export function registerChats(register: RegisterRoute, { chatsOf }: Services): void {
  /** Conversations of a member are private, even from the owners of the account. */
  const of = ({ accountId, memberId }: Principal) => chatsOf({ accountId, memberId: memberId ?? null });
  register(listChats, ({ principal, query: { limit = 50, after } }) => {
    const found = of(principal).list(limit + 1, after);
    return { data: found.slice(0, limit).map(toSummary), has_more: found.length > limit };
  });
  register(createChat, ({ principal, body }) => toChat(of(principal).create(body)));
  register(searchChats, ({ principal, body: { text, limit = 50 } }) => ({
    data: of(principal)
      .search(text, limit)
      .map((hit) => ({ ...hit, chat: toSummary(hit.chat) })),
  }));
  register(getChat, ({ principal, params: { chat = '' } }) => toChat(of(principal).read(chat)));
  register(updateChat, ({ principal, params: { chat = '' }, body }) =>
    toSummary(of(principal).update(chat, body)),
  );
  register(putChatMessage, ({ principal, params: { chat = '' }, body }) =>
    toSummary(of(principal).put(chat, body)),
  );
  register(deleteChat, ({ principal, params: { chat = '' } }) => ({
    id: of(principal).remove(chat),
    deleted: true as const,
  }));
}

function toSummary({ messageCount, ...chat }: ChatRecord): ChatSummary {
  return { ...described(chat), messages: messageCount };
}

function toChat({ messages, ...chat }: WholeChat): SavedChat {
  const { system, current } = chat;
  // They were checked when they were saved.
  return { ...described(chat), system, current, messages: messages as SavedMessage[] };
}

function described({ id, name, title, model, createdAtMs, changedAtMs }: Omit<ChatRecord, 'messageCount'>) {
  return { id, name, title, model, created_at: toIso(createdAtMs), changed_at: toIso(changedAtMs) };
}
