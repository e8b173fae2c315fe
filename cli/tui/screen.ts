import type { Line, Size } from './render/lines.ts';
import type { Column } from './render/list.ts';
import type { State } from './state/state.ts';
import type { Theme } from './render/theme.ts';

/** The position of a text that follows new lines. */
export const END = 'end';

/** A list, what is above it, and the details of the selected row beside or below it. */
export type Screen<Row = unknown> = {
  title: string;
  /** Undefined while loading. */
  rows: (state: State) => readonly Row[] | undefined;
  id: (row: Row) => string;
  columns: (state: State, theme: Theme) => readonly Column<Row>[];
  /** Shown when there are no rows. */
  empty: string;
  top?: (state: State, width: number, theme: Theme) => readonly Line[];
  detail: (state: State, row: Row | undefined, size: Size, theme: Theme) => readonly Line[];
  /** The list's share of the screen, above the details or left of them; about half by default. */
  share?: { above: number; left: number };
  /** The details take the whole screen while they have focus, and scroll: their first and last position. */
  scroll?: (state: State, row: Row | undefined, size: Size, theme: Theme) => { at: number; last: number };
  /** The ids of the second list, for a screen that has one. */
  details?: (state: State) => readonly string[];
};
