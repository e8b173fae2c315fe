import type { Line, Size } from './render/lines.ts';
import type { Column } from './render/list.ts';
import type { State } from './state/state.ts';
import type { Theme } from './render/theme.ts';

/** The place of a text that scrolls with what comes. */
export const END = 'end';

/** A list, what is above it, and what the chosen row says beside or below it. */
export type Screen<Row = unknown> = {
  title: string;
  /** Undefined while it is not yet known. */
  rows: (state: State) => readonly Row[] | undefined;
  id: (row: Row) => string;
  columns: (state: State, theme: Theme) => readonly Column<Row>[];
  /** What stands where there are no rows. */
  empty: string;
  top?: (state: State, width: number, theme: Theme) => readonly Line[];
  detail: (state: State, row: Row | undefined, size: Size, theme: Theme) => readonly Line[];
  /** How much of the screen the list takes, above what its row says or left of it; about half unless it says so. */
  share?: { above: number; left: number };
  /** What the row says takes the whole screen while it has the keys, and scrolls: where it begins, and where last. */
  scroll?: (state: State, row: Row | undefined, size: Size, theme: Theme) => { at: number; last: number };
  /** The ids of the second list, for a screen that has one. */
  details?: (state: State) => readonly string[];
};
