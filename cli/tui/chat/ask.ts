import type { SavedMessage } from '../../../src/api/management/chats.ts';
import { Failure } from '../../../src/base/errors.ts';
import { newId } from '../../../src/base/ids.ts';
import { withImages } from '../../chat/images.ts';
import { clearComposer } from '../../prompt/editor/composer.ts';
import { unfold } from '../../prompt/editor/pastes.ts';
import { withEntry } from '../../chat/terminal/history.ts';
import { folderToolbox } from '../../chat/tools/folder/toolbox.ts';
import { joinToolboxes } from '../../chat/tools/join.ts';
import { openToolbox } from '../../chat/tools/toolbox.ts';
import { attempt, did, quote, say, type Deck } from '../deck.ts';
import { END } from '../screen.ts';
import { openConversation, selectedChat } from '../state/selection.ts';
import { isArriving, type ChatAction, type ChatState, type Queued } from './state.ts';

/** Whether an answer is arriving in the selected conversation. */
export function isAnswering({ store }: Deck): boolean {
  const state = store.current();
  return isAnswered(state.chat, selectedChat(state) ?? '');
}

function isAnswered({ replies }: ChatState, chat: string): boolean {
  const reply = replies[chat];
  return reply !== undefined && isArriving(reply);
}

/** Sends what was typed, which starts a new conversation if there is none. While an answer arrives, it waits. */
export async function send(deck: Deck): Promise<void> {
  const { store } = deck;
  const state = store.current();
  const { composer, edited, images } = state.chat;
  const content = unfold(composer.editor.text, composer.editor.pastes).trim();
  const selected = selectedChat(state);
  if (content === '') return selected === undefined ? undefined : sendQueued(deck, selected);
  const open = openConversation(state);
  if (open === undefined && selected !== undefined)
    throw new Failure('invalid_value', 'The conversation is still loading.');
  if (edited && isAnswering(deck))
    throw new Failure('invalid_value', 'The answer is still arriving. Esc stops it.');
  const typed = { composer, edited, images };
  change(deck, {
    composer: clearComposer(composer, withEntry(composer.history.entries, content)),
    ...{ edited: undefined, chosen: undefined, images: [] },
  });
  if (open && isAnswering(deck)) return enqueue(deck, open.id, { text: content, images });
  const parent = edited ? edited.parent : (open?.current ?? undefined);
  const message = messageOf(edited ? withText(edited, content) : withImages(content, images), parent);
  try {
    if (open) await ask(deck, open.id, message);
    else await begin(deck, message);
  } catch (error) {
    change(deck, typed);
    throw error;
  }
  deck.remember(content);
  did(deck, `askd chat${open ? ` --session ${open.name}` : ''} ${quote(content)}`);
  await deck.loader.refresh('chats');
}

function messageOf(content: SavedMessage['content'], parent: string | undefined): SavedMessage {
  return { id: newId('msg'), role: 'user', content, ...(parent !== undefined && { parent }) };
}

function enqueue(deck: Deck, chat: string, message: Queued): void {
  const { queued } = deck.store.current().chat;
  change(deck, { queued: { ...queued, [chat]: [...(queued[chat] ?? []), message] } });
  deck.remember(message.text);
}

/** Sends the message that has waited longest in a conversation. */
async function sendQueued(deck: Deck, chat: string): Promise<void> {
  const { chat: before } = deck.store.current();
  const [next, ...rest] = before.queued[chat] ?? [];
  const conversation = before.conversations[chat];
  if (next === undefined || conversation === undefined || isAnswered(before, chat)) return;
  const queueFirst = (messages: readonly Queued[]) => {
    const { queued } = deck.store.current().chat;
    change(deck, { queued: { ...queued, [chat]: [...messages, ...(queued[chat] ?? [])] } });
  };
  // Until this one is sent there is nothing to send, however often Enter is pressed.
  change(deck, { queued: { ...before.queued, [chat]: [] } });
  try {
    await ask(deck, chat, messageOf(withImages(next.text, next.images), conversation.current ?? undefined));
  } catch (error) {
    queueFirst([next, ...rest]);
    throw error;
  }
  queueFirst(rest);
  did(deck, `askd chat --session ${conversation.name} ${quote(next.text)}`);
  await deck.loader.refresh('chats');
}

/** Takes back the message that was written last. */
export function takeQueued(deck: Deck): Queued | undefined {
  const state = deck.store.current();
  const chat = selectedChat(state) ?? '';
  const waiting = state.chat.queued[chat] ?? [];
  const last = waiting.at(-1);
  if (last) change(deck, { queued: { ...state.chat.queued, [chat]: waiting.slice(0, -1) } });
  return last;
}

/** Images are kept when the text changes. */
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
  const ended = deck.replies.start({
    ...{ client, conversation, parent },
    ...((servers.length > 0 || folder !== undefined) && { openTools }),
  });
  void ended.then((isWhole) => (isWhole ? attempt(deck, () => sendQueued(deck, chat)) : undefined));
}

export function change({ store }: Deck, to: Extract<ChatAction, { kind: 'set' }>['change']): void {
  store.dispatch({ type: 'chat', change: { kind: 'set', change: to } });
}
