import { displayWidth } from '../../output/display-width.ts';
import type { Editor } from './editor.ts';
import { graphemesOf } from './graphemes.ts';
import { labelOf } from './pastes.ts';

const TAB = ' '.repeat(4);

export type Row = {
  /** As it is shown. */
  text: string;
  /** Its part of the editor's text, without a line break. */
  from: number;
  to: number;
  /** Whether it starts a line, or continues one that is too long. */
  isFirst: boolean;
};

export type Layout = { rows: readonly Row[]; row: number; column: number };

/** The rows of a text in this many columns, and the cell of the cursor, which may be the one after the last column. */
export function layOut({ text, cursor, pastes }: Editor, columns: number): Layout {
  const rows: Row[] = [];
  const open = (at: number, isFirst: boolean): Row => {
    const row = { text: '', from: at, to: at, isFirst };
    rows.push(row);
    return row;
  };
  let place = { row: 0, column: 0 };
  let at = 0;
  for (const line of text.split('\n')) {
    let row = open(at, true);
    let used = 0;
    for (const grapheme of graphemesOf(line)) {
      const shown = shownAs(grapheme, pastes);
      const width = displayWidth(shown);
      if (used > 0 && used + width > columns) {
        row = open(at, false);
        used = 0;
      }
      if (cursor >= at && cursor < at + grapheme.length) place = { row: rows.length - 1, column: used };
      row.text += shown;
      used += width;
      at += grapheme.length;
      row.to = at;
    }
    if (cursor === at) place = { row: rows.length - 1, column: used };
    at += 1;
  }
  return { rows, ...place };
}

/** The editor with its cursor in another row; undefined if there is none. */
export function moveRows(editor: Editor, by: -1 | 1, columns: number): Editor | undefined {
  const { rows, row, column } = layOut(editor, columns);
  const target = rows[row + by];
  if (target === undefined) return undefined;
  const goal = editor.goal ?? column;
  const isCut = rows[row + by + 1]?.isFirst === false;
  return { ...editor, cursor: positionIn(editor, target, goal, isCut), last: undefined, goal };
}

function positionIn({ text, pastes }: Editor, row: Row, goal: number, isCut: boolean): number {
  let at = row.from;
  let used = 0;
  for (const grapheme of graphemesOf(text.slice(row.from, row.to))) {
    used += displayWidth(shownAs(grapheme, pastes));
    // The end of a row that continues is the start of the next one.
    if (used > goal || (isCut && at + grapheme.length === row.to)) break;
    at += grapheme.length;
  }
  return at;
}

function shownAs(grapheme: string, pastes: readonly string[]): string {
  return grapheme === '\t' ? TAB : (labelOf(grapheme, pastes) ?? grapheme);
}
