import type { Line, Size } from './lines.ts';
import type { Column } from './list.ts';
import type { State } from './state.ts';
import type { Theme } from './theme.ts';

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
  /** The ids of the second list, for a screen that has one. */
  details?: (state: State) => readonly string[];
};
