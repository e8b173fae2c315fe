import {
  createChat,
  deleteChat,
  getChat,
  listChats,
  putChatMessage,
  searchChats,
  updateChat,
  type ChatChange,
  type ChatPage,
  type ChatSearch,
  type NewChat,
  type SavedMessage,
} from '../../src/api/management/chats.ts';
import type { Http } from '../../src/api/http/http.ts';

/** The client's methods for saved conversations. */
export function chatCalls({ call }: Http) {
  return {
    list: (query: ChatPage) => call(listChats, { query }),
    create: (body: NewChat) => call(createChat, { body }),
    search: (body: ChatSearch) => call(searchChats, { body }),
    get: (chat: string) => call(getChat, { params: { chat } }),
    update: (chat: string, body: ChatChange) => call(updateChat, { params: { chat }, body }),
    put: (chat: string, body: SavedMessage) => call(putChatMessage, { params: { chat }, body }),
    remove: (chat: string) => call(deleteChat, { params: { chat } }),
  };
}
