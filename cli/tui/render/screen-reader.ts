import { renderDialog } from '../dialog/dialog-view.ts';
import { hintsOf } from '../keyboard/keymap.ts';
import { line, textOf, type Line } from './lines.ts';
import { SCREEN_LIST, selectedIndex, visibleRows } from '../screens.ts';
import type { State } from '../state/state.ts';
import type { Theme } from './theme.ts';

const WIDTH = 76;
const DETAIL_LINES = 12;
/** Of the text to read. */
const TEXT_LINES = 60;

/** For screen readers: the selected row in words, and no automatic changes but messages. */
export function renderForReader(state: State, theme: Theme): Line[] {
  const screen = SCREEN_LIST[state.screen];
  const messages = [
    state.toast?.text,
    state.prompt && `${state.prompt.kind}: ${state.prompt.text}`,
    connectionText(state),
  ];
  const message = messages.filter((text) => text !== undefined).map((text) => line(text));
  if (state.dialog)
    return [...message, ...spoken(renderDialog(state.dialog, { width: WIDTH, height: 40 }, theme))];
  const rows = visibleRows(state, theme) ?? [];
  const selected = selectedIndex(state, rows);
  const row = rows[selected];
  const cells =
    row === undefined
      ? []
      : screen.columns(state, theme).map(({ title, value }) => {
          const shown = value(row);
          return `${title.toLowerCase()} ${typeof shown === 'string' ? shown : shown.text}`;
        });
  const chosen =
    row === undefined ? screen.empty : `Row ${selected + 1} of ${rows.length}: ${cells.join(', ')}`;
  const height = screen.scroll || screen.scrollTo ? TEXT_LINES : DETAIL_LINES;
  const detail = screen.detail(state, row, { width: WIDTH, height }, theme).slice(0, height);
  const keys = hintsOf(state.screen)
    .map(({ key, text }) => `${key} ${text}`)
    .join(', ');
  return [
    line(`Screen ${screen.title}.`),
    ...message,
    line(chosen),
    ...spoken(detail),
    line(`Keys: ${keys}.`),
  ];
}

function connectionText({ connection }: State): string | undefined {
  return connection.kind === 'lost' ? `Not connected: ${connection.reason}` : undefined;
}

function spoken(lines: readonly Line[]): Line[] {
  return lines.filter((each) => textOf(each).trim() !== '');
}
