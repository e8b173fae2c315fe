import type { Size } from './lines.ts';
import type { Screen } from '../screen.ts';
import type { State } from '../state/state.ts';

/** From here on the list and what its row says have room beside each other. */
const BESIDE_FROM = 110;
const SHARE = { above: 0.5, left: 0.55 };

export type Layout =
  | { kind: 'whole'; detail: Size }
  | { kind: 'beside'; list: Size; detail: Size }
  | { kind: 'stacked'; list: Size; detail: Size };

/** What is between the header and the footer. */
export function bodySize({ size: { columns, rows } }: State): Size {
  return { width: columns, height: rows - 5 };
}

/** Where the list is and where what its row says, below `topLines` that are above both. */
export function layoutOf(state: State, screen: Screen, topLines: number): Layout {
  const { width, height: whole } = bodySize(state);
  const height = whole - topLines;
  const { above, left } = screen.share ?? SHARE;
  if (screen.scroll && state.views[state.screen].pane === 'detail')
    return { kind: 'whole', detail: { width, height } };
  if (width >= BESIDE_FROM) {
    const list = { height, width: Math.ceil((width - 3) * left) };
    return { kind: 'beside', list, detail: { height, width: width - 3 - list.width } };
  }
  const list = { width, height: Math.ceil(height * above) };
  return { kind: 'stacked', list, detail: { width, height: height - list.height - 1 } };
}
