import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { SCREENS, type ScreenId } from '../../../cli/tui/state/state.ts';
import { showRunsSideBySide, showScene } from '../../helpers/terminal/tui-scene.ts';
import { live, NOON, showTui } from '../../helpers/terminal/tui.tsx';

beforeAll(() => void vi.stubEnv('TZ', 'UTC'));

/** On a machine that is busy with other tests too. */
const SOON = { timeout: 60_000 };

const open: { close: () => void }[] = [];
afterEach(() => open.splice(0).forEach((each) => each.close()));

/** What was written since the last time it was asked, when it contains this. */
async function listen(screen: ScreenId) {
  const tui = await showScene({ screen, isReader: true });
  open.push(tui);
  let seenTo = tui.frame().length;
  const news = () => tui.frame().slice(seenTo);
  return {
    ...tui,
    news,
    hears: async (wanted: string | RegExp): Promise<string> => {
      await vi.waitFor(() => expect(news()).toMatch(wanted), SOON);
      const said = news();
      seenTo = tui.frame().length;
      return said;
    },
  };
}

/** The screen as it is found by somebody who comes to it. */
async function textOf(screen: ScreenId): Promise<string> {
  const { press, hears } = await listen(screen === 'logs' ? 'overview' : 'logs');
  press(String(SCREENS.indexOf(screen) + 1));
  return hears(/\nKeys: .*\.$/);
}

test.each(SCREENS)('%s is announced as lines in order', async (screen) => {
  const text = await textOf(screen);
  expect(text).not.toMatch(/[─│▁▂▃█⣀⣿▸●◌✓✗]/);
  expect(text).not.toContain('\u001b');
  await expect(`${text.trim()}\n`).toMatchFileSnapshot(`frames/${screen}-reader.txt`);
});

test('runs side by side are announced one at a time, with the state of those beside it', async () => {
  const tui = await showRunsSideBySide({ isReader: true });
  open.push(tui);
  const spoken: string[] = [];
  for (const number of [2, 3, 1]) {
    const before = tui.frame().length;
    tui.press('\t');
    await vi.waitFor(
      () => expect(tui.frame().slice(before)).toContain(`Run ${number} of 3 side by side.`),
      SOON,
    );
    spoken.push(tui.frame().slice(before).trim());
  }
  expect(spoken.join('')).not.toMatch(/[─│▸⠋✓∅█░]/);
  await expect(`${spoken.join('\n\n')}\n`).toMatchFileSnapshot('frames/agent-runs-reader.txt');
});

test('moving announces the row and its details, and nothing that was just said', async () => {
  const { press, hears } = await listen('keys');
  press('j');
  const said = await hears('Row 2 of 3: name an old notebook');
  expect(said).toContain('state expired');
  expect(said).not.toContain('Screen Keys.');
  expect(said).not.toContain('Keys:');
});

test('a list that was waited for is announced when it is there, also when it is empty', async () => {
  const tui = showTui({ screen: 'keys', isReader: true });
  open.push(tui);
  expect(tui.frame()).toContain('Screen Keys.\nLoading.');
  await tui.dispatch(live(), { type: 'loaded', data: { keys: [] } });
  expect(tui.frame()).toContain('\nThere are no keys');
});

test('what changes by itself is not announced, but a message is, and again when it comes again', async () => {
  const { news, hears, ...tui } = await listen('overview');
  await tui.dispatch(live({ uptime_seconds: 20_000, requests_in_flight: 9 }), {
    type: 'tick',
    now: NOON + 2000,
  });
  expect(news()).toBe('');
  const toast = { text: 'Revoked laptop.', tone: 'good', until: NOON + 60_000 } as const;
  await tui.dispatch({ type: 'toast', toast });
  expect(await hears('Revoked')).toBe('\nRevoked laptop.');
  await tui.dispatch({ type: 'tick', now: NOON + 90_000 });
  expect(news()).toBe('');
  await tui.dispatch({ type: 'toast', toast: { ...toast, until: NOON + 120_000 } });
  expect(await hears('Revoked')).toBe('\nRevoked laptop.');
});

test('a lost connection is announced once', async () => {
  const { news, hears, ...tui } = await listen('keys');
  const lost = (retryAt: number) =>
    ({ type: 'connection', connection: { kind: 'lost', reason: 'no answer', retryAt }, now: NOON }) as const;
  await tui.dispatch(lost(NOON + 1000));
  expect(await hears('no answer')).toBe('\nNot connected: no answer');
  await tui.dispatch(lost(NOON + 3000), { type: 'tick', now: NOON + 2000 });
  expect(news()).toBe('');
});

test('what is typed goes on in its line, and a correction is announced as a new one', async () => {
  const { press, hears } = await listen('keys');
  press('/');
  await hears('filter:');
  press('l');
  expect(await hears('l')).toMatch(/^ l/);
  press('\u007f');
  await hears(/\nfilter:/);
});

test('a form announces its field, what is typed into it, and its error', async () => {
  const { press, hears } = await listen('keys');
  press('n');
  expect(await hears('cancels')).toContain('Create a key');
  for (const key of ['a', 'b', '\r', '\r', '\r']) press(key);
  await hears('error: no daemon');
});
