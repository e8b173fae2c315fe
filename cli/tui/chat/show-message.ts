import { endOf, lineTo } from '../../chat/branches.ts';
import { change } from './ask.ts';
import type { Deck } from '../deck.ts';

/** Opens the conversation at a message, on that message's branch. */
export async function showMessage(deck: Deck, chat: string, message: string): Promise<void> {
  const { store } = deck;
  const conversation = await deck.client().chats.get(chat);
  store.dispatch({ type: 'chat', change: { kind: 'loaded', conversation } });
  const isShown = lineTo(conversation.messages, conversation.current).some(({ id }) => id === message);
  if (!isShown) await showBranch(deck, chat, message);
  const view = { selected: chat, detail: `${message}:0`, pane: 'detail' } as const;
  store.dispatch({ type: 'view', screen: 'chat', view });
  change(deck, { chosen: message, isTyping: false });
}

/** Switches to the branch that contains this message. */
export async function showBranch(deck: Deck, chat: string, message: string): Promise<void> {
  const { store } = deck;
  const { messages = [] } = store.current().chat.conversations[chat] ?? {};
  const current = endOf(messages, message);
  await deck.client().chats.update(chat, { current });
  store.dispatch({ type: 'chat', change: { kind: 'changed', chat, change: { current } } });
  // A failed answer belongs to the branch that was left.
  const reply = store.current().chat.replies[chat];
  if (reply?.failure !== undefined) store.dispatch({ type: 'chat', change: { kind: 'ended', chat } });
}
