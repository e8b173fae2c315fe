import type { SavedMessage } from '../../../src/api/management/chats.ts';
import { Failure } from '../../../src/base/errors.ts';
import { newId } from '../../../src/base/ids.ts';
import { withImages } from '../../chat/images.ts';
import { folderToolbox } from '../../chat/tools/folder/toolbox.ts';
import { joinToolboxes } from '../../chat/tools/join.ts';
import { openToolbox } from '../../chat/tools/toolbox.ts';
import { did, quote, say, type Deck } from '../deck.ts';
import { END } from '../screen.ts';
import { openConversation, selectedChat } from '../state/selection.ts';
import { isArriving, type ChatAction } from './state.ts';

/** Whether an answer arrives in the selected conversation. */
export function isAnswering({ store }: Deck): boolean {
  const state = store.current();
  const reply = state.chat.replies[selectedChat(state) ?? ''];
  return reply !== undefined && isArriving(reply);
}

/** Sends what was typed; a new conversation begins with it. */
export async function send(deck: Deck): Promise<void> {
  const { store } = deck;
  const content = store.current().chat.draft.trim();
  if (content === '') return;
  if (isAnswering(deck)) throw new Failure('invalid_value', 'The answer is still arriving. Esc stops it.');
  const open = openConversation(store.current());
  if (open === undefined && selectedChat(store.current()) !== undefined)
    throw new Failure('invalid_value', 'The conversation is still loading.');
  const { edited, images } = store.current().chat;
  const parent = edited ? edited.parent : (open?.current ?? undefined);
  const message: SavedMessage = {
    ...{
      id: newId('msg'),
      role: 'user',
      content: edited ? withText(edited, content) : withImages(content, images),
    },
    ...(parent !== undefined && { parent }),
  };
  change(deck, { draft: '', edited: undefined, chosen: undefined, images: [] });
  try {
    if (open) await ask(deck, open.id, message);
    else await begin(deck, message);
  } catch (error) {
    change(deck, { draft: content, edited, images });
    throw error;
  }
  did(deck, `askd chat${open ? ` --session ${open.name}` : ''} ${quote(content)}`);
  await deck.loader.refresh('chats');
}

/** Images stay when the text is another. */
function withText({ content }: SavedMessage, text: string): SavedMessage['content'] {
  if (typeof content === 'string' || content === undefined) return text;
  return [{ type: 'text', text }, ...content.filter(({ type }) => type !== 'text')];
}

async function begin(deck: Deck, message: SavedMessage): Promise<void> {
  const { model } = deck.store.current().chat;
  const conversation = await deck.client().chats.create({ model, messages: [message] });
  deck.store.dispatch({ type: 'chat', change: { kind: 'loaded', conversation } });
  deck.store.dispatch({ type: 'view', screen: 'chat', view: { selected: conversation.id } });
  answer(deck, conversation.id, message.id);
}

/** Adds a message to a conversation and asks for the answer. */
async function ask(deck: Deck, chat: string, message: SavedMessage): Promise<void> {
  await deck.client().chats.put(chat, message);
  deck.store.dispatch({ type: 'chat', change: { kind: 'message', chat, message } });
  answer(deck, chat, message.id);
}

/** Asks for an answer to the message `parent`. */
export function answer(deck: Deck, chat: string, parent: string): void {
  const { store } = deck;
  const client = deck.client();
  const { conversations, servers, folder } = store.current().chat;
  const conversation = conversations[chat];
  if (conversation === undefined) return;
  store.dispatch({ type: 'view', screen: 'chat', view: { detail: END } });
  const note = (text: string) => say(deck, text.replace(/^note: /, ''));
  const openTools = async () =>
    joinToolboxes([
      ...(folder === undefined ? [] : [folderToolbox(folder)]),
      ...(servers.length === 0 ? [] : [await openToolbox({ client, note }, servers)]),
    ]);
  deck.replies.start({
    ...{ client, conversation, parent },
    ...((servers.length > 0 || folder !== undefined) && { openTools }),
  });
}

export function change({ store }: Deck, to: Extract<ChatAction, { kind: 'set' }>['change']): void {
  store.dispatch({ type: 'chat', change: { kind: 'set', change: to } });
}

export function setDraft(deck: Deck, draft: string): void {
  change(deck, { draft });
}
