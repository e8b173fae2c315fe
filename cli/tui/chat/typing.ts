import { move, quit } from '../actions/navigation.ts';
import { attempt, type Deck } from '../deck.ts';
import { editText } from '../dialog/dialog.ts';
import { sanitise } from '../../output/sanitise.ts';
import { selectedChat } from '../state/selection.ts';
import { isAnswering, send, setDraft } from './ask.ts';

const SCROLLING: Readonly<Record<string, { by: number }>> = {
  up: { by: -1 },
  down: { by: 1 },
  pageup: { by: -10 },
  pagedown: { by: 10 },
};

/** Handles a key while a message is typed. */
export function pressInMessage(deck: Deck, key: string, text: string): void {
  const { draft } = deck.store.current().chat;
  const step = SCROLLING[key];
  if (key === 'ctrl+c') quit(deck);
  else if (key === 'ctrl+z') deck.suspend();
  else if (key === 'esc') stopOrLeave(deck);
  else if (key === 'enter') void attempt(deck, () => send(deck));
  else if (key === 'alt+enter' || key === 'ctrl+j') setDraft(deck, `${draft}\n`);
  else if (step) move(deck, step);
  else if (text.includes('\n')) setDraft(deck, draft + sanitise(text));
  else setDraft(deck, editText(draft, key, text));
}

function stopOrLeave(deck: Deck): void {
  const { chat } = deck.store.current();
  const isAsked = chat.replies[selectedChat(deck.store.current()) ?? '']?.question !== undefined;
  // The keys that answer a question must not be typed into it by accident.
  if (isAnswering(deck) && !isAsked) return stopAnswer(deck);
  const change = { isTyping: false, ...(chat.edited && { edited: undefined, draft: '' }) };
  deck.store.dispatch({ type: 'chat', change: { kind: 'set', change } });
}

export function stopAnswer({ store, replies }: Deck): void {
  const chat = selectedChat(store.current());
  if (chat !== undefined) replies.stop(chat);
}
