import type { SavedChat } from '../../../src/api/management/chats.ts';
import type { State } from './state.ts';

export function selectedWebhook({ data, views }: State): string | undefined {
  const { selected } = views.webhooks;
  const found = data.webhooks?.find(({ id }) => id === selected) ?? data.webhooks?.[0];
  return found?.id;
}

/** The row of a conversation that does not exist yet. */
export const NEW_CHAT = 'new';

/** The id of the selected conversation; undefined for a new one. */
export function selectedChat({ data, chat, views }: State): string | undefined {
  const { selected } = views.chat;
  if (selected === undefined || selected === NEW_CHAT) return undefined;
  const isKnown = selected in chat.conversations || data.chats?.some(({ id }) => id === selected);
  return isKnown ? selected : undefined;
}

export function openConversation(state: State): SavedChat | undefined {
  return state.chat.conversations[selectedChat(state) ?? ''];
}
