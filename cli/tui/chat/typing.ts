import { move, quit } from '../actions/navigation.ts';
import { pressKey, setText } from '../../prompt/editor/composer.ts';
import { attempt, type Deck } from '../deck.ts';
import { detailWidth } from '../screens/chat.ts';
import { selectedChat } from '../state/selection.ts';
import { change, isAnswering, send, takeQueued } from './ask.ts';
import { textColumns } from './input-lines.ts';

const SCROLLING: Readonly<Record<string, { by: number }>> = {
  up: { by: -1 },
  down: { by: 1 },
  pageup: { by: -10 },
  pagedown: { by: 10 },
};
/** What the dashboard itself does with keys that edit nothing. */
const OWN: Readonly<Record<string, (deck: Deck) => void>> = {
  'ctrl+c': quit,
  'ctrl+z': (deck) => deck.suspend(),
  tab: () => undefined,
};

/** Handles a key while a message is typed. */
export function pressInMessage(deck: Deck, key: string, text: string): void {
  const { composer } = deck.store.current().chat;
  const own = OWN[key];
  if (own) return own(deck);
  if (key === 'esc' && !composer.search) return stopOrLeave(deck);
  if (key === 'up' && composer.editor.text === '' && takeBack(deck)) return;
  const columns = textColumns(detailWidth(deck.store.current()));
  const pressed = pressKey(composer, { name: key, text }, columns);
  const step = SCROLLING[key];
  if (pressed.effect === 'send') void attempt(deck, () => send(deck));
  else if (step && pressed.composer === composer) move(deck, step);
  else change(deck, { composer: pressed.composer });
}

/** The last waiting message is edited again. */
function takeBack(deck: Deck): boolean {
  const taken = takeQueued(deck);
  if (taken === undefined) return false;
  const { composer } = deck.store.current().chat;
  change(deck, { composer: setText(composer, taken.text), images: taken.images });
  return true;
}

function stopOrLeave(deck: Deck): void {
  const { chat } = deck.store.current();
  const isAsked = chat.replies[selectedChat(deck.store.current()) ?? '']?.question !== undefined;
  // The keys that answer a question must not be typed into it by accident.
  if (isAnswering(deck) && !isAsked) return stopAnswer(deck);
  change(deck, {
    isTyping: false,
    ...(chat.edited && { edited: undefined, composer: setText(chat.composer, '') }),
  });
}

export function stopAnswer({ store, replies }: Deck): void {
  const chat = selectedChat(store.current());
  if (chat !== undefined) replies.stop(chat);
}
