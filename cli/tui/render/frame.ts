import { formatDuration, formatAmount } from '../../output/format.ts';
import { renderDialog } from '../dialog/dialog-view.ts';
import { hintsNow } from '../keyboard/hints.ts';
import { bodySize, layoutOf } from './layout.ts';
import { beside, block, fit, line, span, widthOf, type Line, type Size, type Span } from './lines.ts';
import { renderList } from './list.ts';
import { SCREEN_LIST, selectedIndex, titleOf, visibleRows } from '../screens.ts';
import { SCREENS, type ScreenId, type State } from '../state/state.ts';
import type { Theme } from './theme.ts';

export const COLUMNS_MIN = 80;
export const ROWS_MIN = 24;

/** The whole screen, line by line, one row less than the terminal has: a full one would scroll. */
export function renderFrame(state: State, theme: Theme): Line[] {
  const { columns, rows } = state.size;
  if (columns < COLUMNS_MIN || rows < ROWS_MIN) return [tooSmall(state)];
  const body = state.dialog ? renderDialog(state.dialog, bodySize(state), theme) : renderBody(state, theme);
  const isStale = state.connection.kind !== 'live' && !state.dialog;
  return [
    header(state, theme),
    rule(state, theme),
    ...(isStale ? body.map(dimmed) : body),
    messageLine(state, theme),
    footer(state),
  ].map((each) => fit(each, columns));
}

function tooSmall({ size: { columns, rows } }: State): Line {
  return line(`askd needs ${COLUMNS_MIN}x${ROWS_MIN}, not ${columns}x${rows}. q quits.`);
}

function dimmed(each: Line): Line {
  return each.map((part) => ({ ...part, dim: true }));
}

/** The screens, and as much of the daemon's state as fits. */
function header({ screen, size, status, tokensPerSecond, connection }: State, { glyphs }: Theme): Line {
  const tabs = tabsOf(screen);
  const isLive = connection.kind === 'live';
  const health: Span = isLive
    ? span(`${glyphs.live} ${status ? `up ${largestUnit(status.uptime_seconds)}` : 'live'}`, {
        color: 'green',
      })
    : span(`${glyphs.waiting} ${connection.kind === 'lost' ? 'lost' : 'opening'}`, { color: 'yellow' });
  const extra = status
    ? [`${tokensPerSecond.toFixed(0)} t/s`, `${formatAmount(status.wallet.balance)} credits`]
    : [];
  const right: Span[] = [health];
  let room = size.columns - widthOf(tabs) - widthOf(right) - 1;
  for (const each of extra) {
    if (room < each.length + 2) break;
    right.push(span(`  ${each}`));
    room -= each.length + 2;
  }
  return [...tabs, { text: ' '.repeat(Math.max(1, room + 1)) }, ...right];
}

/** One column between two names, in which the brackets of the chosen one are drawn. */
function tabsOf(screen: ScreenId): Span[] {
  const chosen = SCREENS.indexOf(screen);
  const parts = SCREENS.flatMap((each, index): Span[] => {
    const before = index === chosen ? '[' : index === chosen + 1 ? ']' : ' ';
    const isChosen = index === chosen;
    return [span(before, { bold: before !== ' ' }), span(titleOf(each), isChosen ? { bold: true } : {})];
  });
  return chosen === SCREENS.length - 1 ? [...parts, span(']', { bold: true })] : parts;
}

/** `3h`, which is all that fits in 80 columns. */
function largestUnit(seconds: number): string {
  return formatDuration(seconds * 1000).split(' ')[0] ?? '';
}

function rule({ connection, now, size, screen, views }: State, { glyphs }: Theme): Line {
  const { filter } = views[screen];
  const notes: Span[] = [];
  if (filter !== '') notes.push(span(` filter: ${filter} `, { color: 'yellow' }));
  if (connection.kind === 'lost') {
    const seconds = Math.max(0, Math.ceil((connection.retryAt - now) / 1000));
    notes.push(
      span(` ${glyphs.waiting} not connected, retrying in ${seconds} s: the data shown is old `, {
        color: 'yellow',
      }),
    );
  }
  const left = Math.max(0, size.columns - widthOf(notes) - 2);
  return [
    span(glyphs.rule.repeat(2), { dim: true }),
    ...notes,
    span(glyphs.rule.repeat(left), { dim: true }),
  ];
}

function renderBody(state: State, theme: Theme): Line[] {
  const size = bodySize(state);
  const screen = SCREEN_LIST[state.screen];
  const lines = screen.top?.(state, size.width, theme) ?? [];
  const top = block(lines, { ...size, height: lines.length });
  const layout = layoutOf(state, screen, top.length);
  const rows = visibleRows(state, theme);
  const selected = rows === undefined ? -1 : selectedIndex(state, rows);
  const view = {
    rows: rows ?? [],
    columns: screen.columns(state, theme),
    selected,
    isFocused: state.views[state.screen].pane === 'list',
  };
  const empty = emptyLine(state, rows, screen.empty);
  const list = (of: Size) => block([...renderList(view, of, theme), ...(empty ? [empty] : [])], of);
  const detail = block(screen.detail(state, rows?.[selected], layout.detail, theme), layout.detail);
  switch (layout.kind) {
    case 'whole':
      return [...top, ...detail];
    case 'beside':
      return [...top, ...beside(list(layout.list), detail, theme.glyphs.divider)];
    case 'stacked': {
      const divider: Line = [span(theme.glyphs.rule.repeat(size.width), { dim: true })];
      return [...top, ...list(layout.list), divider, ...detail];
    }
  }
}

function emptyLine(
  { connection, views, screen }: State,
  rows: readonly unknown[] | undefined,
  empty: string,
): Line | undefined {
  if (rows === undefined)
    return line(span(connection.kind === 'live' ? '  …' : '  Not connected yet.', { dim: true }));
  if (rows.length > 0) return undefined;
  return line(
    span(views[screen].filter === '' ? `  ${empty}` : '  No matches. Esc clears the filter.', {
      dim: true,
    }),
  );
}

/** The typed line, otherwise the latest message, otherwise a problem. */
function messageLine({ prompt, toast, connection }: State, { glyphs }: Theme): Line {
  if (prompt)
    return line(span(prompt.kind === 'filter' ? '/' : ':', { bold: true }), prompt.text, glyphs.cursor);
  if (toast) {
    const mark = toast.tone === 'good' ? `${glyphs.on} ` : `${glyphs.off} error: `;
    return line(span(mark + toast.text, { color: toast.tone === 'good' ? 'green' : 'red' }));
  }
  return connection.kind === 'lost' ? line(span(connection.reason, { color: 'yellow' })) : [];
}

/** As many keys as fit; help and quit always do. */
function footer(state: State): Line {
  const { size, dialog } = state;
  if (dialog) return [];
  const always = ['help', 'quit'];
  const hints = hintsNow(state).map(({ key, text }) => ({
    text,
    spans: [span(key, { bold: true }), span(` ${text}  `)],
  }));
  const kept = hints.filter(({ text }) => always.includes(text)).flatMap(({ spans }) => spans);
  let room = size.columns - widthOf(kept);
  const shown: Span[] = [];
  for (const { text, spans } of hints) {
    if (always.includes(text)) continue;
    if (widthOf(spans) > room) break;
    room -= widthOf(spans);
    shown.push(...spans);
  }
  return [...shown, ...kept];
}
