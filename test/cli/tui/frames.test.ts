import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { renderFrame } from '../../../cli/tui/render/frame.ts';
import { chooseGlyphs } from '../../../cli/tui/render/theme.ts';
import { SCREENS, type ScreenId, type State } from '../../../cli/tui/state/state.ts';
import { displayWidth } from '../../../cli/output/display-width.ts';
import { showRunsSideBySide, showScene } from '../../helpers/terminal/tui-scene.ts';
import { NOON, showTui } from '../../helpers/terminal/tui.tsx';

beforeAll(() => void vi.stubEnv('TZ', 'UTC'));

/** On a machine that is busy with other tests too. */
const SOON = { timeout: 20_000 };

const THEME = { glyphs: chooseGlyphs({ LANG: 'C.UTF-8' }), isReader: false };
const open: { close: () => void }[] = [];
afterEach(() => open.splice(0).forEach((each) => each.close()));

async function show(screen: ScreenId, columns: number, rows: number) {
  const tui = await showScene({ screen, columns, rows });
  open.push(tui);
  return tui;
}

/** `3: 0-8 dim, 14-52 cyan` for each line: where what is not plain stands, from column to column. */
function stylesOf(state: State): string {
  return renderFrame(state, THEME)
    .map((line, row) => {
      let column = 0;
      const parts = line.flatMap(({ text, color, bold, dim, inverse }) => {
        const from = column;
        column += displayWidth(text);
        const names = [bold && 'bold', dim && 'dim', inverse && 'inverse', color].filter(Boolean);
        return names.length === 0 || /^[\s│─]*$/.test(text) ? [] : [`${from}-${column} ${names.join(' ')}`];
      });
      return parts.length === 0 ? '' : `${row}: ${parts.join(', ')}`;
    })
    .filter((each) => each !== '')
    .join('\n');
}

describe.each([
  [80, 24],
  [120, 40],
  [200, 50],
])('at %dx%d', (columns, rows) => {
  test.each(SCREENS)('%s is as it was last seen to be right', async (screen) => {
    const tui = await show(screen, columns, rows);
    const frame = tui.frame();
    const lines = frame.split('\n');
    expect(lines).toHaveLength(rows - 1);
    for (const line of lines) expect(displayWidth(line), line).toBeLessThanOrEqual(columns);
    expect(frame).not.toContain('\u001b');
    await expect(`${frame}\n\n${stylesOf(tui.store.current())}\n`).toMatchFileSnapshot(
      `frames/${screen}-${columns}x${rows}.txt`,
    );
  });

  test('runs side by side have a column each, or where there is no room a tab', async () => {
    const tui = await showRunsSideBySide({ columns, rows });
    open.push(tui);
    for (const line of tui.frame().split('\n')) expect(displayWidth(line), line).toBeLessThanOrEqual(columns);
    await expect(`${tui.frame()}\n\n${stylesOf(tui.store.current())}\n`).toMatchFileSnapshot(
      `frames/agent-runs-${columns}x${rows}.txt`,
    );
  });

  test('a form, a secret and help have room', async () => {
    const tui = await show('keys', columns, rows);
    tui.press('n');
    await vi.waitFor(() => expect(tui.frame()).toContain('Create a key'), SOON);
    await expect(`${tui.frame()}\n\n${stylesOf(tui.store.current())}\n`).toMatchFileSnapshot(
      `frames/form-${columns}x${rows}.txt`,
    );
    await tui.dispatch({
      type: 'dialog',
      dialog: { kind: 'secret', title: 'A new key', secret: 'ask_secret', note: 'Once.' },
    });
    expect(tui.frame()).toContain('ask_secret');
    await tui.dispatch({ type: 'dialog', dialog: undefined });
    tui.press('?');
    await vi.waitFor(() => expect(tui.frame()).toContain('Keys of Keys'), SOON);
    expect(tui.frame()).toContain('revoke the key: type its name');
  });

  test('a lost connection says so, and what is shown stays', async () => {
    const tui = await show('keys', columns, rows);
    const connection = { kind: 'lost', reason: 'nothing is listening there', retryAt: NOON + 3000 } as const;
    await tui.dispatch({ type: 'connection', connection, now: NOON });
    expect(tui.frame()).toContain('not connected, retrying in 3 s');
    expect(tui.frame()).toContain('laptop');
    expect(tui.frame()).toContain('nothing is listening there');
    const body = renderFrame(tui.store.current(), THEME).slice(2, -2);
    expect(body.flat().every(({ dim }) => dim)).toBe(true);
  });
});

test('Enter goes to the events, and unfolds one with everything that its row leaves out', async () => {
  const tui = await show('overview', 120, 40);
  tui.press('\r');
  await vi.waitFor(() => expect(tui.store.current().views.overview.pane).toBe('detail'), SOON);
  tui.press('G');
  await vi.waitFor(() => expect(tui.frame()).toMatch(/▸ 11:52:00 chat.completed × 2/), SOON);
  tui.press('\r');
  await vi.waitFor(() => expect(tui.frame()).toContain('2 events from 2027-01-31T11:51'), SOON);
  expect(tui.frame()).toContain('92 tokens, 0.000138 credits');
  expect(tui.frame()).toContain('request_id=req_1 model=svc-chat-v1 outcome=finished');
});

test('h shows the whole hour, however narrow the graphs are', async () => {
  const tui = await show('overview', 80, 24);
  expect(tui.frame()).toContain('5m 20s ago');
  tui.press('h');
  await vi.waitFor(() => expect(tui.frame()).toContain('1h ago'), SOON);
});

test.each([79, 40])('a terminal of %d columns is too small, and shows what is needed', (columns) => {
  const tui = showTui({ columns, rows: 24 });
  open.push(tui);
  expect(tui.frame()).toBe(`askd needs 80x24, not ${columns}x24. q quits.`);
});

test('the filter narrows the list, a ! turns it around, and Esc ends it', async () => {
  const tui = await show('keys', 80, 24);
  tui.press('/');
  for (const key of 'laptop') tui.press(key);
  await vi.waitFor(() => expect(tui.frame()).toContain('filter: laptop'), SOON);
  expect(tui.frame()).not.toContain('an old notebook');
  tui.press('\r');
  await vi.waitFor(() => expect(tui.store.current().prompt).toBeUndefined(), SOON);
  tui.press('/');
  tui.press('\u0015');
  for (const key of '!laptop') tui.press(key);
  await vi.waitFor(() => expect(tui.frame()).toContain('an old notebook'), SOON);
  tui.press('\u001b');
  await vi.waitFor(() => expect(tui.frame()).not.toContain('filter:'), SOON);
});

test('a change without a connection is refused, and what was typed stays', async () => {
  const tui = await show('keys', 80, 24);
  tui.press('n');
  await vi.waitFor(() => expect(tui.frame()).toContain('Create a key'), SOON);
  for (const key of ['a', 'b', '\r', '\r', '\r']) tui.press(key);
  await vi.waitFor(() => expect(tui.frame()).toContain('error: no daemon'), SOON);
  expect(tui.frame()).toContain('ab');
});
