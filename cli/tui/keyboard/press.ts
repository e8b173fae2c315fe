import type { Key } from '../../prompt/editor/keys.ts';
import { ACTIONS, SUBMISSIONS } from '../actions.ts';
import { attempt, say, type Deck } from '../deck.ts';
import { pressInMessage } from '../chat/typing.ts';
import { editText, pressInDialog, type Dialog, type DialogResult } from '../dialog/dialog.ts';
import { reasonOf } from '../data/event-stream.ts';
import { actionOf } from './keymap.ts';
import { runWords } from './typed-commands.ts';

/** Handles input from a terminal: pasted text goes into a field, and a letter typed fast may open one. */
export function pressKeys(deck: Deck, keys: readonly Key[]): void {
  for (const { name, text } of keys) {
    if (name === 'paste') pasteInto(deck, text);
    else if (name === 'text' && !isTyping(deck)) for (const letter of text) pressLetter(deck, letter);
    else press(deck, name, text);
  }
}

function pressLetter(deck: Deck, letter: string): void {
  const name = letter === ' ' ? 'space' : letter;
  press(deck, isTyping(deck) ? 'text' : name, letter);
}

function pasteInto(deck: Deck, text: string): void {
  const { dialog, prompt } = deck.store.current();
  if (dialog || prompt || isTyping(deck)) press(deck, 'paste', text);
}

/** Whether a message is being typed, which accepts many letters at once. */
function isTyping({ store }: Deck): boolean {
  const { dialog, prompt, screen, chat } = store.current();
  return !dialog && !prompt && screen === 'chat' && chat.isTyping;
}

/** Handles one key: for the open dialog, otherwise for the typed line, otherwise for the screen. */
function press(deck: Deck, key: string, text: string): void {
  const { dialog, prompt, screen } = deck.store.current();
  // Ctrl-C always quits, even during a prompt.
  if (key === 'ctrl+c' && (dialog || prompt)) return deck.quit();
  if (dialog) return pressOnDialog(deck, dialog, key, text);
  if (prompt) return pressInPrompt(deck, key, text);
  if (isTyping(deck)) return pressInMessage(deck, key, text);
  const action = actionOf(key, screen);
  if (action !== undefined) void attempt(deck, () => ACTIONS[action](deck, key));
}

function pressOnDialog(deck: Deck, dialog: Dialog, key: string, text: string): void {
  if (dialog.kind === 'secret' && key === 'y') return copy(deck, dialog.secret);
  if (dialog.kind === 'pages' && dialog.url !== undefined && key === 'y') return copy(deck, dialog.url);
  const result = pressInDialog(dialog, key, text);
  deck.store.dispatch({ type: 'dialog', dialog: result.dialog });
  if (result.submitted) void submit(deck, result);
}

function copy(deck: Deck, secret: string): void {
  deck.copy(secret);
  say(deck, 'Copied to the clipboard.');
}

/** A dialog that failed shows why and keeps its input. */
async function submit(deck: Deck, { dialog, submitted }: DialogResult): Promise<void> {
  const { store } = deck;
  try {
    if (submitted === undefined) return;
    const after = await SUBMISSIONS[submitted.submit]?.(deck, submitted.about ?? '', submitted.answers);
    if (store.current().dialog === dialog || after) store.dispatch({ type: 'dialog', dialog: after });
  } catch (error) {
    if (store.current().dialog !== dialog || !(dialog?.kind === 'form' || dialog?.kind === 'confirm'))
      return say(deck, reasonOf(error), 'bad');
    store.dispatch({ type: 'dialog', dialog: { ...dialog, isBusy: false, error: reasonOf(error) } });
  }
}

function pressInPrompt({ store, ...deck }: Deck, key: string, text: string): void {
  const { prompt, screen } = store.current();
  if (!prompt) return;
  const close = () => store.dispatch({ type: 'prompt', prompt: undefined });
  if (key === 'esc') {
    close();
    if (prompt.kind === 'filter') store.dispatch({ type: 'view', screen, view: { filter: '' } });
  } else if (key === 'enter') {
    close();
    if (prompt.kind === 'command') void runWords({ store, ...deck }, prompt.text);
  } else {
    const typed = editText(prompt.text, key, text);
    store.dispatch({ type: 'prompt', prompt: { ...prompt, text: typed } });
    if (prompt.kind === 'filter') store.dispatch({ type: 'view', screen, view: { filter: typed } });
  }
}
