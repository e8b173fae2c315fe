import type { ScreenId } from '../state/state.ts';
import { AGENT_KEYS } from './bindings/agent.ts';
import { GLOBAL_KEYS } from './bindings/anywhere.ts';
import type { Binding } from './bindings/binding.ts';
import { CHAT_KEYS } from './bindings/chat.ts';
import { MANAGEMENT_KEYS } from './bindings/management.ts';

export type ActionId = (typeof KEYMAP)[number]['action'];

/** Every key of the dashboard. Actions, footer, help and documentation derive from this table. */
export const KEYMAP = [
  ...CHAT_KEYS,
  ...MANAGEMENT_KEYS,
  ...AGENT_KEYS,
  ...GLOBAL_KEYS,
] as const satisfies readonly Binding[];

/** The action of a key on a screen: its own binding before a global one. */
export function actionOf(key: string, screen: ScreenId): ActionId | undefined {
  const matching = (KEYMAP as readonly Binding[]).filter(({ keys }) => keys.includes(key));
  const found =
    matching.find(({ where }) => where === screen) ?? matching.find(({ where }) => where === 'anywhere');
  return found?.action as ActionId | undefined;
}

export type Hint = { key: string; text: string };

/** For the footer: the screen's keys, then the global ones. */
export function hintsOf(screen: ScreenId): readonly Hint[] {
  return bindingsOf(screen).flatMap(({ keys, short }) =>
    short === undefined ? [] : [{ key: keys[0] ?? '', text: short }],
  );
}

export function helpOf(screen: ScreenId): readonly (readonly [keys: string, does: string])[] {
  return bindingsOf(screen).map(({ keys, does }) => [keys.join(', '), does] as const);
}

/** Global keys are omitted if the screen has its own meaning for them. */
function bindingsOf(screen: ScreenId): readonly Binding[] {
  const all: readonly Binding[] = KEYMAP;
  const own = all.filter(({ where }) => where === screen);
  const taken = new Set(own.flatMap(({ keys }) => keys));
  const global = all.filter(
    ({ where, keys }) => where === 'anywhere' && !keys.every((key) => taken.has(key)),
  );
  return [...own, ...global];
}
