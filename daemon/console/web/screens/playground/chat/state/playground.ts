import { DEFAULTS, type ChatSettings } from '../settings/settings.ts';
import { afterReload } from './conversation.ts';
import type { Turn } from './turn.ts';

export type Pane = { settings: ChatSettings; turns: readonly Turn[] };

/** One conversation, or two side by side. */
export type Playground = {
  panes: readonly Pane[];
  /** Whether the second conversation has the settings of the first, except for the model. */
  isShared: boolean;
};

export const PANES_MAX = 2;
export const EMPTY: Playground = { panes: [{ settings: DEFAULTS, turns: [] }], isShared: true };

export function settingsOf({ panes }: Playground, index: number): ChatSettings {
  return panes[index]?.settings ?? DEFAULTS;
}

export function changePane(state: Playground, index: number, change: (pane: Pane) => Pane): Playground {
  const panes = state.panes.map((pane, place) => (place === index ? change(pane) : pane));
  return panes[index] === state.panes[index] ? state : { ...state, panes };
}

export function withSettings(state: Playground, index: number, settings: ChatSettings): Playground {
  const own = changePane(state, index, (pane) => ({ ...pane, settings }));
  return state.isShared ? sharing(own, settings) : own;
}

export function withSharing(state: Playground, isShared: boolean): Playground {
  return isShared ? sharing({ ...state, isShared }, settingsOf(state, 0)) : { ...state, isShared };
}

function sharing(state: Playground, settings: ChatSettings): Playground {
  const panes = state.panes.map((pane) => ({
    ...pane,
    settings: { ...settings, model: pane.settings.model },
  }));
  return { ...state, panes };
}

/** The second conversation starts where the first one is. */
export function withSecondPane(state: Playground, model: string): Playground {
  const [first] = state.panes;
  if (first === undefined || state.panes.length === PANES_MAX) return state;
  return { ...state, panes: [first, { ...first, settings: { ...first.settings, model } }] };
}

export function withoutPane(state: Playground, index: number): Playground {
  return { ...state, panes: state.panes.filter((_, place) => place !== index) };
}

/** What an earlier page stored, with the settings that were added since. */
export function restored(before: Playground): Playground {
  const panes = before.panes.map(({ settings, turns }) => ({
    settings: { ...DEFAULTS, ...settings },
    turns: afterReload(turns),
  }));
  return { isShared: before.isShared, panes };
}
