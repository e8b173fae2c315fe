import { renderDialog } from '../dialog/dialog-view.ts';
import { hintsNow } from '../keyboard/hints.ts';
import { line, type Line } from './lines.ts';
import { SCREEN_LIST, selectedIndex, visibleRows } from '../screens.ts';
import type { ScreenId, State } from '../state/state.ts';
import type { Theme } from './theme.ts';

const WIDTH = 76;
const DETAIL_LINES = 12;
/** Of the text to read. */
const TEXT_LINES = 60;

/** How a state is read aloud. */
export type Reading = {
  /** The user's position: when it changes, everything there is read in full. */
  place: string;
  lines: readonly Line[];
  /** The lines that are read when they change by themselves. */
  news: readonly Line[];
};

/** The screens whose details are an answer that the user is waiting for. */
const LIVE: readonly ScreenId[] = ['chat', 'agent'];

/** The selected row and its details in words. */
export function renderForReader(state: State, theme: Theme): Reading {
  const message = messagesOf(state);
  if (state.dialog) {
    const { kind, title } = state.dialog;
    const lines = [...message, ...renderDialog(state.dialog, { width: WIDTH, height: 40 }, theme)];
    return { place: `${kind} ${title}`, lines, news: lines };
  }
  const screen = SCREEN_LIST[state.screen];
  const found = visibleRows(state, theme);
  const rows = found ?? [];
  const selected = selectedIndex(state, rows);
  const row = rows[selected];
  const height = screen.scroll || screen.scrollTo ? TEXT_LINES : DETAIL_LINES;
  const detail = screen.detail(state, row, { width: WIDTH, height }, theme).slice(0, height);
  const { pane, detail: position, filter } = state.views[state.screen];
  const id = row === undefined || isFollowing(state) ? '' : screen.id(row);
  const lines = [
    line(`Screen ${screen.title}.`),
    ...message,
    ...(screen.top?.(state, WIDTH, theme) ?? []),
    line(row === undefined ? emptyText(state, found, screen.empty) : rowText(state, rows, selected, theme)),
    ...detail,
    line(`Keys: ${keysOf(state)}.`),
  ];
  const news = [...message, ...(LIVE.includes(state.screen) ? detail : [])];
  // An awaited answer is read in full too.
  const isWaiting = found === undefined || state.status === undefined;
  return { place: [state.screen, id, pane, position, filter, isWaiting].join(' '), lines, news };
}

/** Every log line changes its last row. */
function isFollowing({ screen, isFollowing: follows }: State): boolean {
  return screen === 'logs' && follows;
}

function messagesOf(state: State): Line[] {
  const { toast, prompt } = state;
  const failed = toast?.tone === 'bad' ? 'error: ' : '';
  const messages = [
    toast && failed + toast.text,
    prompt && `${prompt.kind}: ${prompt.text}`,
    connectionText(state),
  ];
  return messages.filter((text) => text !== undefined).map((text) => line(text));
}

function emptyText({ views, screen }: State, found: readonly unknown[] | undefined, empty: string): string {
  if (found === undefined) return 'Loading.';
  return views[screen].filter === '' ? empty : 'No matches.';
}

function rowText(state: State, rows: readonly unknown[], selected: number, theme: Theme): string {
  const cells = SCREEN_LIST[state.screen].columns(state, theme).flatMap(({ title, value }) => {
    const shown = value(rows[selected]);
    const text = (typeof shown === 'string' ? shown : shown.text).trim();
    return text === '' ? [] : [`${title.toLowerCase()} ${text}`];
  });
  return `Row ${selected + 1} of ${rows.length}: ${cells.join(', ')}`;
}

function keysOf(state: State): string {
  return hintsNow(state)
    .map(({ key, text }) => `${key} ${text}`)
    .join(', ');
}

function connectionText({ connection }: State): string | undefined {
  return connection.kind === 'lost' ? `Not connected: ${connection.reason}` : undefined;
}
