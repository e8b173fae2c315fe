import type { Line, Size } from './render/lines.ts';
import type { Column } from './render/list.ts';
import type { State } from './state/state.ts';
import type { Theme } from './render/theme.ts';

/** The position of a text that follows new lines. */
export const END = 'end';

export type Layout =
  | { kind: 'whole'; detail: Size }
  | { kind: 'beside'; list: Size; detail: Size }
  | { kind: 'stacked'; list: Size; detail: Size };

/** A movement in a list or a text. */
export type Step = { by: number } | 'first' | 'last';

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
  /** The list's share of the screen, above or left of the details; about half by default. */
  share?: { above: number; left: number };
  /** If the details fill the screen while they have focus, and scroll: their first and last position. */
  scroll?: (state: State, row: Row | undefined, size: Size, theme: Theme) => { at: number; last: number };
  /** For a text that is only rendered when visible: the position after a step. */
  scrollTo?: (state: State, row: Row | undefined, step: Step, size: Size, theme: Theme) => string;
  /** Where the list and the details are, if not in the usual place. */
  layout?: (state: State, body: Size) => Layout;
  /** The ids of the second list, for a screen that has one. */
  details?: (state: State) => readonly string[];
};
