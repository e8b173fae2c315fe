import { formatDuration, formatMoney } from '../format.ts';
import { renderDialog } from './dialog-view.ts';
import { hintsOf } from './keymap.ts';
import { beside, block, fit, line, span, widthOf, type Line, type Size, type Span } from './lines.ts';
import { renderList } from './list.ts';
import { SCREEN_LIST, selectedIndex, titleOf, visibleRows } from './screens.ts';
import { SCREENS, type State } from './state.ts';
import type { Theme } from './theme.ts';

export const COLUMNS_MIN = 80;
export const ROWS_MIN = 24;
/** From here on the list and what its row says have room beside each other. */
const BESIDE_FROM = 110;

/** The whole screen, line by line, one row less than the terminal has: a full one would scroll. */
export function renderFrame(state: State, theme: Theme): Line[] {
  const { columns, rows } = state.size;
  if (columns < COLUMNS_MIN || rows < ROWS_MIN) return [tooSmall(state)];
  const size = { width: columns, height: rows - 5 };
  const body = state.dialog ? renderDialog(state.dialog, size, theme) : renderBody(state, size, theme);
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
  return line(`askd needs ${COLUMNS_MIN}x${ROWS_MIN}, this is ${columns}x${rows}. q quits.`);
}

function dimmed(each: Line): Line {
  return each.map((part) => ({ ...part, dim: true }));
}

/** The screens, and as much of how the daemon is as there is room for. */
function header({ screen, size, status, samples, connection }: State, { glyphs }: Theme): Line {
  const tabs = SCREENS.map((each): Span => {
    const title = titleOf(each);
    return each === screen ? span(`[${title}]`, { bold: true }) : span(` ${title} `);
  });
  const isLive = connection.kind === 'live';
  const health: Span = isLive
    ? span(`${glyphs.live} ${status ? `up ${formatDuration(status.uptime_seconds * 1000)}` : 'live'}`, {
        color: 'green',
      })
    : span(`${glyphs.waiting} ${connection.kind}`, { color: 'yellow' });
  const extra = status
    ? [`${(samples.tokens.at(-1) ?? 0).toFixed(0)} t/s`, `${formatMoney(status.wallet.balance)} credits`]
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

function rule({ connection, now, size, screen, views }: State, { glyphs }: Theme): Line {
  const { filter } = views[screen];
  const notes: Span[] = [];
  if (filter !== '') notes.push(span(` filter: ${filter} `, { color: 'yellow' }));
  if (connection.kind === 'lost') {
    const seconds = Math.max(0, Math.ceil((connection.retryAt - now) / 1000));
    notes.push(
      span(` ${glyphs.waiting} not connected, trying again in ${seconds} s: what is shown is old `, {
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

function renderBody(state: State, size: Size, theme: Theme): Line[] {
  const screen = SCREEN_LIST[state.screen];
  const top = screen.top?.(state, size.width, theme) ?? [];
  const rest = { width: size.width, height: size.height - top.length };
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
  const detail = (of: Size) => block(screen.detail(state, rows?.[selected], of, theme), of);
  if (size.width >= BESIDE_FROM) {
    const left = { ...rest, width: Math.ceil((rest.width - 3) * 0.55) };
    const right = { ...rest, width: rest.width - 3 - left.width };
    return [
      ...block(top, { ...size, height: top.length }),
      ...beside(list(left), detail(right), theme.glyphs.divider),
    ];
  }
  const above = { ...rest, height: Math.ceil(rest.height * 0.5) };
  const below = { ...rest, height: rest.height - above.height - 1 };
  const divider: Line = [span(theme.glyphs.rule.repeat(size.width), { dim: true })];
  return [...block(top, { ...size, height: top.length }), ...list(above), divider, ...detail(below)];
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
    span(views[screen].filter === '' ? `  ${empty}` : '  Nothing has this text. Esc ends the filter.', {
      dim: true,
    }),
  );
}

/** What is being typed, else the last news, else what is wrong. */
function messageLine({ prompt, toast, connection }: State, { glyphs }: Theme): Line {
  if (prompt)
    return line(span(prompt.kind === 'filter' ? '/' : ':', { bold: true }), prompt.text, glyphs.cursor);
  if (toast) {
    const mark = toast.tone === 'good' ? `${glyphs.on} ` : `${glyphs.off} error: `;
    return line(span(mark + toast.text, { color: toast.tone === 'good' ? 'green' : 'red' }));
  }
  return connection.kind === 'lost' ? line(span(connection.reason, { color: 'yellow' })) : [];
}

/** As many keys as fit; help and the way out always do. */
function footer({ screen, size, dialog }: State): Line {
  if (dialog) return [];
  const always = ['help', 'quit'];
  const hints = hintsOf(screen).map(({ key, text }) => ({
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
