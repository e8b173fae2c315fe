import { lineEnd, lineStart, positionAfter, positionBefore, wordAfter, wordBefore } from './graphemes.ts';
import { cleanInput, isLongPaste, markOf } from './pastes.ts';

const UNDO_MAX = 200;
/** Longer text is folded, so that every key is answered at once. */
const TEXT_LENGTH_MAX = 20_000;

type Snapshot = Pick<Editor, 'text' | 'cursor'>;

/** Text that is being written. Positions are indexes into JavaScript strings. */
export type Editor = Readonly<{
  /** With a mark for each folded paste. */
  text: string;
  cursor: number;
  /** What the marks stand for. */
  pastes: readonly string[];
  /** The text that was killed last, to be yanked. */
  killed: string;
  undo: readonly Snapshot[];
  /** Consecutive edits of the same kind count as one: typed letters for undo, kills for yank. */
  last?: 'typed' | 'killed' | undefined;
  /** The column that moving up and down returns to. */
  goal?: number | undefined;
}>;

export const EMPTY: Editor = { text: '', cursor: 0, pastes: [], killed: '', undo: [] };

/** Replaces the text of the editor, with the cursor at its end. Undo restores the old one. */
export function withText(editor: Editor, text: string): Editor {
  if (text.length > TEXT_LENGTH_MAX) return paste(change(editor, { text: '', cursor: 0 }), text);
  return change(editor, { text, cursor: text.length });
}

export function insert(editor: Editor, typed: string): Editor {
  const text = cleanInput(typed);
  if (text === '') return editor;
  // A terminal that does not report what is pasted.
  if (isLongPaste(text)) return paste(editor, text);
  const isWordEnd = /\s/.test(text);
  const changed = replace(editor, editor.cursor, editor.cursor, text, 'typed');
  return isWordEnd ? { ...changed, last: undefined } : changed;
}

/** A long paste is folded. */
export function paste(editor: Editor, pasted: string): Editor {
  const text = cleanInput(pasted);
  if (!isLongPaste(text)) return text === '' ? editor : replace(editor, editor.cursor, editor.cursor, text);
  const folded = { ...editor, pastes: [...editor.pastes, text] };
  return replace(folded, editor.cursor, editor.cursor, markOf(editor.pastes.length));
}

/** Replaces what is between two positions. */
export function replace(editor: Editor, from: number, to: number, by: string, kind?: Editor['last']): Editor {
  const text = editor.text.slice(0, from) + by + editor.text.slice(to);
  return change(editor, { text, cursor: from + by.length }, kind);
}

function change(editor: Editor, to: Snapshot, kind?: Editor['last']): Editor {
  const goesOn = kind === 'typed' && editor.last === 'typed';
  const { text, cursor } = editor;
  const undo = goesOn ? editor.undo : [...editor.undo, { text, cursor }].slice(-UNDO_MAX);
  return { ...editor, ...to, undo, last: kind, goal: undefined };
}

function kill(editor: Editor, from: number, to: number): Editor {
  if (from === to) return editor;
  const text = editor.text.slice(from, to);
  const before = editor.last === 'killed' ? editor.killed : '';
  const killed = from < editor.cursor ? text + before : before + text;
  return { ...replace(editor, from, to, '', 'killed'), killed };
}

const at =
  (position: (text: string, cursor: number) => number) =>
  (editor: Editor): Editor => ({
    ...editor,
    cursor: position(editor.text, editor.cursor),
    last: undefined,
    goal: undefined,
  });

export const EDITS = {
  left: at(positionBefore),
  right: at(positionAfter),
  wordLeft: at(wordBefore),
  wordRight: at(wordAfter),
  startOfLine: at(lineStart),
  endOfLine: at(lineEnd),
  startOfText: at(() => 0),
  endOfText: at((text) => text.length),
  newLine: (editor) => replace(editor, editor.cursor, editor.cursor, '\n'),
  erase: (editor) => erase(editor, positionBefore(editor.text, editor.cursor), editor.cursor),
  eraseNext: (editor) => erase(editor, editor.cursor, positionAfter(editor.text, editor.cursor)),
  /** At the end of a line, its line break. */
  killToEnd: (editor) => kill(editor, editor.cursor, killEnd(editor)),
  /** At the start of a line, the line break before it. */
  killToStart: (editor) => kill(editor, killStart(editor), editor.cursor),
  killWordBefore: (editor) => kill(editor, wordBefore(editor.text, editor.cursor), editor.cursor),
  killWordAfter: (editor) => kill(editor, editor.cursor, wordAfter(editor.text, editor.cursor)),
  yank: (editor) =>
    editor.killed === '' ? editor : replace(editor, editor.cursor, editor.cursor, editor.killed),
  transpose,
  undo: undoLast,
} satisfies Record<string, (editor: Editor) => Editor>;

function erase(editor: Editor, from: number, to: number): Editor {
  return from === to ? editor : replace(editor, from, to, '');
}

function killEnd({ text, cursor }: Editor): number {
  return text[cursor] === '\n' ? cursor + 1 : lineEnd(text, cursor);
}

function killStart({ text, cursor }: Editor): number {
  return text[cursor - 1] === '\n' ? cursor - 1 : lineStart(text, cursor);
}

/** Swaps the characters around the cursor; at the end of a line, the two before it. */
function transpose(editor: Editor): Editor {
  const { text, cursor } = editor;
  const middle = cursor === lineEnd(text, cursor) ? positionBefore(text, cursor) : cursor;
  const start = positionBefore(text, middle);
  const end = positionAfter(text, middle);
  const [left, right] = [text.slice(start, middle), text.slice(middle, end)];
  if (left === '' || right === '' || (left + right).includes('\n')) return editor;
  return replace(editor, start, end, right + left);
}

function undoLast(editor: Editor): Editor {
  const before = editor.undo.at(-1);
  if (before === undefined) return editor;
  return { ...editor, ...before, undo: editor.undo.slice(0, -1), last: undefined, goal: undefined };
}
