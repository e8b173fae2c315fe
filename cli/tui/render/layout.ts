import type { Size } from './lines.ts';
import type { Layout, Screen } from '../screen.ts';
import type { State } from '../state/state.ts';

/** From this width on, list and details are side by side. */
export const BESIDE_FROM = 110;
const SHARE = { above: 0.5, left: 0.55 };

/** The size between header and footer. */
export function bodySize({ size: { columns, rows } }: State): Size {
  return { width: columns, height: rows - 5 };
}

/** The positions of list and details, below `topLines` that span both. */
export function layoutOf(state: State, screen: Screen, topLines: number): Layout {
  const { width, height: whole } = bodySize(state);
  const height = whole - topLines;
  if (screen.layout) return screen.layout(state, { width, height });
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
