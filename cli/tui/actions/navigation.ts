import { formatCount } from '../../output/format.ts';
import { say, openDialog, type Act, type Deck, type Submission } from '../deck.ts';
import { helpOf, type ActionId } from '../keyboard/keymap.ts';
import { renderFields } from '../../output/table.ts';
import { END, type Step } from '../screen.ts';
import { layoutOf } from '../render/layout.ts';
import { SCREEN_LIST, selectedIndex, selectedRow, visibleRows } from '../screens.ts';
import { SCREENS, type ScreenId } from '../state/state.ts';
import { isArriving } from '../chat/state.ts';
import type { Watched } from '../state/watched.ts';

const PAGE = 10;

function go({ store }: Deck, screen: ScreenId | undefined): void {
  if (screen !== undefined) store.dispatch({ type: 'go', screen });
}

function goBy(deck: Deck, step: number): void {
  const at = SCREENS.indexOf(deck.store.current().screen);
  go(deck, SCREENS[(at + step + SCREENS.length) % SCREENS.length]);
}

/** Moves in the focused list. */
export function move({ store, theme }: Deck, step: Step): void {
  const state = store.current();
  const { screen, views } = state;
  const definition = SCREEN_LIST[screen];
  const { pane, detail = '' } = views[screen];
  if (pane === 'detail' && (definition.scroll || definition.scrollTo)) return scroll(store, theme, step);
  if (pane === 'detail') {
    const ids = definition.details?.(state) ?? [];
    const id = ids[indexAfter(step, Math.max(0, ids.indexOf(detail)), ids.length - 1)];
    if (id !== undefined) store.dispatch({ type: 'view', screen, view: { detail: id } });
    return;
  }
  const rows = visibleRows(state, theme) ?? [];
  const row = rows[indexAfter(step, selectedIndex(state, rows), rows.length - 1)];
  if (row === undefined) return;
  if (screen === 'logs') store.dispatch({ type: 'set', change: { isFollowing: false } });
  store.dispatch({ type: 'view', screen, view: { selected: definition.id(row), detail: '' } });
}

function indexAfter(step: Step, index: number, last: number): number {
  const to = step === 'first' ? 0 : step === 'last' ? last : index + step.by;
  return Math.max(0, Math.min(last, to));
}

function scroll(store: Deck['store'], theme: Deck['theme'], step: Step): void {
  const state = store.current();
  const { screen } = state;
  const definition = SCREEN_LIST[screen];
  const { detail: size } = layoutOf(state, definition, 0);
  const row = selectedRow(state, theme);
  if (definition.scrollTo) {
    const detail = definition.scrollTo(state, row, step, size, theme);
    return store.dispatch({ type: 'view', screen, view: { detail } });
  }
  const { at, last } = definition.scroll?.(state, row, size, theme) ?? { at: 0, last: 0 };
  const to = indexAfter(step, at, last);
  store.dispatch({ type: 'view', screen, view: { detail: to === last ? END : String(to) } });
}

export function switchPane({ store }: Deck): void {
  const { screen, views } = store.current();
  const { details, scroll: scrolls, scrollTo } = SCREEN_LIST[screen];
  if (details === undefined && scrolls === undefined && scrollTo === undefined) return;
  const pane = views[screen].pane === 'list' ? 'detail' : 'list';
  store.dispatch({ type: 'view', screen, view: { pane } });
}

export function back({ store }: Deck): void {
  const { screen, views } = store.current();
  store.dispatch({
    type: 'view',
    screen,
    view: views[screen].pane === 'detail' ? { pane: 'list' } : { filter: '' },
  });
}

function help(deck: Deck): void {
  const { screen } = deck.store.current();
  const text = renderFields(helpOf(screen)).split('\n');
  openDialog(deck, { kind: 'pages', title: `Keys of ${SCREEN_LIST[screen].title}`, text, offset: 0 });
}

function showDone(deck: Deck): void {
  const { done } = deck.store.current();
  const text = done.length === 0 ? ['No changes made here yet.'] : done.map((each) => `$ ${each}`);
  openDialog(deck, { kind: 'pages', title: 'Changes made here', text, offset: 0 });
}

/** Runs and answers started here end with the dashboard, so it asks first. */
export function quit(deck: Deck): void {
  const { watched, chat } = deck.store.current();
  const runs = Object.values(watched).filter(isUnderWayHere).length;
  const replies = Object.values(chat.replies).filter(isArriving).length;
  if (runs + replies === 0) return deck.quit();
  const parts = [
    ...(runs > 0 ? [formatCount(runs, 'agent run')] : []),
    ...(replies > 0 ? [formatCount(replies, 'answer')] : []),
  ];
  openDialog(deck, {
    kind: 'confirm',
    title: 'Leave the dashboard',
    text: `${parts.join(' and ')} started here would be stopped.`,
    typed: '',
    submit: 'quit',
  });
}

const isUnderWayHere = ({ isMine, tree, broke }: Watched) =>
  isMine && tree.end === undefined && broke === undefined;

export const navigationSubmissions: Record<string, Submission> = {
  quit: async (deck) => void deck.quit(),
};

export const navigation = {
  screen: (deck, key) => go(deck, SCREENS[Number(key) - 1]),
  'screen.next': (deck) => goBy(deck, 1),
  'screen.previous': (deck) => goBy(deck, -1),
  'screen.back': (deck) => go(deck, deck.store.current().earlier),
  pane: switchPane,
  down: (deck) => move(deck, { by: 1 }),
  up: (deck) => move(deck, { by: -1 }),
  'page.down': (deck) => move(deck, { by: PAGE }),
  'page.up': (deck) => move(deck, { by: -PAGE }),
  first: (deck) => move(deck, 'first'),
  last: (deck) => move(deck, 'last'),
  back,
  filter: ({ store }) => {
    const { screen, views } = store.current();
    store.dispatch({ type: 'prompt', prompt: { kind: 'filter', text: views[screen].filter } });
  },
  command: ({ store }) => store.dispatch({ type: 'prompt', prompt: { kind: 'command', text: '' } }),
  help,
  done: showDone,
  refresh: async (deck) => {
    await deck.loader.refreshScreen(deck.store.current().screen);
    say(deck, 'Refreshed.');
  },
  reconnect: (deck) => deck.reconnect(),
  suspend: (deck) => deck.suspend(),
  quit,
} satisfies Partial<Record<ActionId, Act>>;
