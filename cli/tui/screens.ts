import type { Screen } from './screen.ts';
import { agentScreen } from './screens/agent.ts';
import { chatScreen } from './screens/chat.ts';
import { keysScreen } from './screens/keys.ts';
import { logsScreen } from './screens/logs.ts';
import { modelsScreen } from './screens/models.ts';
import { overviewScreen } from './screens/overview.ts';
import { walletScreen } from './screens/wallet.ts';
import { webhooksScreen } from './screens/webhooks.ts';
import { textOf } from './render/lines.ts';
import { SCREENS, type ScreenId, type State } from './state/state.ts';
import type { Theme } from './render/theme.ts';

const asScreen = <Row>(definition: Screen<Row>): Screen => definition as Screen;

/** Every screen; the number keys follow SCREENS. */
export const SCREEN_LIST: Readonly<Record<ScreenId, Screen>> = {
  chat: asScreen(chatScreen),
  overview: asScreen(overviewScreen),
  models: asScreen(modelsScreen),
  keys: asScreen(keysScreen),
  wallet: asScreen(walletScreen),
  webhooks: asScreen(webhooksScreen),
  agent: asScreen(agentScreen),
  logs: asScreen(logsScreen),
};

export function titleOf(screen: ScreenId): string {
  return `${SCREENS.indexOf(screen) + 1} ${SCREEN_LIST[screen].title}`;
}

/** The rows that match the filter. */
export function visibleRows(state: State, theme: Theme): readonly unknown[] | undefined {
  const screen = SCREEN_LIST[state.screen];
  const rows = screen.rows(state);
  const { filter } = state.views[state.screen];
  const isNegative = filter.startsWith('!');
  const wanted = filter.slice(isNegative ? 1 : 0).toLowerCase();
  if (rows === undefined || wanted === '') return rows;
  const columns = screen.columns(state, theme);
  return rows.filter((row) => {
    const cells = columns.map(({ value }) => {
      const shown = value(row);
      return typeof shown === 'string' ? shown : textOf([shown]);
    });
    return cells.join(' ').toLowerCase().includes(wanted) !== isNegative;
  });
}

/** -1 if there is none. If the row is gone, the first is selected; a followed log stays at its end. */
export function selectedIndex(state: State, rows: readonly unknown[]): number {
  if (state.screen === 'logs' && state.isFollowing) return rows.length - 1;
  const { id } = SCREEN_LIST[state.screen];
  const { selected } = state.views[state.screen];
  const found = rows.findIndex((row) => id(row) === selected);
  return found === -1 ? Math.min(0, rows.length - 1) : found;
}

export function selectedRow(state: State, theme: Theme): unknown {
  const rows = visibleRows(state, theme) ?? [];
  return rows[selectedIndex(state, rows)];
}
