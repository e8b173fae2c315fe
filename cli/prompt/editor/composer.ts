import { bindingOf, type Action } from './bindings.ts';
import { EDITS, EMPTY, insert, paste, replace, withText, type Editor } from './editor.ts';
import { beginHistory, browse, findEntry, type History } from './history.ts';
import type { Key } from './keys.ts';
import { moveRows } from './layout.ts';

export type Candidate = {
  text: string;
  /** Its label in the list, if it differs. */
  label?: string;
  about?: string | undefined;
  /** Nothing needs to follow, so choosing it sends the message. */
  isWhole?: boolean;
  /** More may follow without a space, such as the contents of a folder. */
  goesOn?: boolean;
};
/** A replacement for a part of the text. */
export type Offers = { candidates: readonly Candidate[]; from: number; to: number };

/** A message that is being written, with the help shown below it. */
export type Composer = Readonly<{
  editor: Editor;
  history: History;
  /** Searching for an earlier message. */
  search?: { query: string; at: number; before: Editor } | undefined;
  offers?: Offers | undefined;
  chosen: number;
  /** Whether the user has moved in the list. */
  isChoosing: boolean;
}>;

export type Effect = Exclude<Action, 'older' | 'newer' | 'complete' | 'search' | 'cancel'> | 'escape';

export type Pressed = {
  composer: Composer;
  /** What remains to be done by the code that shows the message. */
  effect?: Effect;
};

export function beginComposer(entries: readonly string[]): Composer {
  return { editor: EMPTY, history: beginHistory(entries), chosen: 0, isChoosing: false };
}

/** An empty message, after one was sent; that one is now the newest in the history. */
export function clearComposer({ editor }: Composer, entries: readonly string[]): Composer {
  return { ...beginComposer(entries), editor: { ...EMPTY, killed: editor.killed } };
}

export function setText(composer: Composer, text: string): Composer {
  return edited(composer, withText(composer.editor, text));
}

/** What can complete the text before the cursor, replacing `part`. */
export function withOffers(
  composer: Composer,
  offer: { candidates: readonly Candidate[]; part: string } | undefined,
): Composer {
  if (offer === undefined || offer.candidates.length === 0) return { ...composer, offers: undefined };
  const { cursor: to } = composer.editor;
  const offers = { candidates: offer.candidates, from: to - offer.part.length, to };
  if (composer.offers && isSame(composer.offers, offers)) return { ...composer, offers };
  return { ...composer, offers, chosen: 0, isChoosing: false };
}

/** More details are known about the same candidates. */
function isSame(one: Offers, other: Offers): boolean {
  const texts = ({ candidates }: Offers) => candidates.map(({ text }) => text).join('\n');
  return one.from === other.from && one.to === other.to && texts(one) === texts(other);
}

export function pressKey(composer: Composer, key: Key, columns: number): Pressed {
  if (composer.search) return searching(composer, composer.search, key, columns);
  if (key.name === 'text') return { composer: edited(composer, insert(composer.editor, key.text)) };
  if (key.name === 'paste') return { composer: edited(composer, paste(composer.editor, key.text)) };
  const binding = bindingOf(key.name);
  if (binding === undefined) return { composer };
  if (binding in EDITS) {
    const edit = EDITS[binding as keyof typeof EDITS];
    return { composer: edited(composer, edit(composer.editor)) };
  }
  return act(composer, binding as Action, columns);
}

function act(composer: Composer, action: Action, columns: number): Pressed {
  switch (action) {
    case 'send':
      return send(composer);
    case 'older':
      return vertically(composer, -1, columns);
    case 'newer':
      return vertically(composer, 1, columns);
    case 'complete':
      return complete(composer);
    case 'search':
      return {
        composer: { ...composer, offers: undefined, search: { query: '', at: -1, before: composer.editor } },
      };
    case 'cancel':
      if (composer.offers) return { composer: { ...composer, offers: undefined } };
      return { composer, effect: 'escape' };
    case 'leave':
      if (composer.editor.text === '') return { composer, effect: 'leave' };
      return { composer: edited(composer, EDITS.eraseNext(composer.editor)) };
    default:
      return { composer, effect: action };
  }
}

/** A backslash before Enter starts a new line, for terminals that have no other key for it. */
function send(composer: Composer): Pressed {
  const { editor, offers } = composer;
  const { text, cursor } = editor;
  if (offers && (composer.isChoosing || isUnfinished(composer, offers))) {
    const isWhole = offers.candidates[composer.chosen]?.isWhole ?? false;
    return { composer: accept(composer, offers), ...(isWhole && { effect: 'send' }) };
  }
  if (text[cursor - 1] !== '\\') return { composer, effect: 'send' };
  return { composer: edited(composer, replace(editor, cursor - 1, cursor, '\n')) };
}

/** Nobody wants to send the beginning of a command's name or a file's. */
function isUnfinished({ editor: { text } }: Composer, { candidates, from, to }: Offers): boolean {
  const part = text.slice(from, to);
  const isName = from === 0 ? part !== '/' : part.startsWith('@');
  return isName && part !== '@' && to === text.length && !candidates.some((each) => each.text === part);
}

function complete(composer: Composer): Pressed {
  if (composer.offers) return { composer: accept(composer, composer.offers) };
  if (composer.editor.text.startsWith('/')) return { composer };
  return { composer: edited(composer, insert(composer.editor, '\t')) };
}

function accept(composer: Composer, { candidates, from, to }: Offers): Composer {
  const candidate = candidates[composer.chosen];
  if (candidate === undefined) return composer;
  return edited(
    composer,
    replace(composer.editor, from, to, candidate.goesOn ? candidate.text : `${candidate.text} `),
  );
}

/** Within the list of candidates, then between the rows of the message, then in the history. */
function vertically(composer: Composer, by: -1 | 1, columns: number): Pressed {
  const { editor, history, offers } = composer;
  if (offers && history.at === -1) {
    const count = offers.candidates.length;
    return { composer: { ...composer, chosen: (composer.chosen + by + count) % count, isChoosing: true } };
  }
  const moved = moveRows(editor, by, columns);
  if (moved) return { composer: { ...composer, editor: moved } };
  const found = browse(history, by === -1 ? 1 : -1, editor.text);
  if (found === undefined) return { composer };
  return { composer: { ...edited(composer, withText(editor, found.text)), history: found.history } };
}

function edited(composer: Composer, editor: Editor): Composer {
  const isSame = editor.text === composer.editor.text;
  if (isSame) return { ...composer, editor };
  const history = { ...composer.history, at: -1, draft: '' };
  return { ...composer, editor, history, offers: undefined, chosen: 0, isChoosing: false };
}

function searching(
  composer: Composer,
  search: NonNullable<Composer['search']>,
  key: Key,
  columns: number,
): Pressed {
  const { query, at, before } = search;
  const look = (wanted: string, from: number): Pressed => {
    const found = findEntry(composer.history, wanted, from);
    const editor = found === -1 ? composer.editor : withText(before, composer.history.entries[found] ?? '');
    return {
      composer: { ...composer, editor, search: { query: wanted, at: found === -1 ? at : found, before } },
    };
  };
  const over: Composer = { ...composer, search: undefined };
  if (key.name === 'text') return look(query + key.text, Math.max(0, at));
  if (key.name === 'backspace') return look([...query].slice(0, -1).join(''), 0);
  if (key.name === 'ctrl+r') return look(query, at + 1);
  if (key.name === 'esc' || key.name === 'tab') return { composer: over };
  if (key.name === 'ctrl+g' || key.name === 'ctrl+c') return { composer: { ...over, editor: before } };
  return pressKey(over, key, columns);
}
