import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { SCREENS, type ScreenId } from '../../../cli/tui/state/state.ts';
import { showScene } from '../../helpers/terminal/tui-scene.ts';

/** Read when Ink is loaded: a terminal of sixteen colours. */
vi.hoisted(() => void (process.env['FORCE_COLOR'] = '1'));
beforeAll(() => void vi.stubEnv('TZ', 'UTC'));

const open: { close: () => void }[] = [];
afterEach(() => open.splice(0).forEach((each) => each.close()));

/** The frame with its control sequences in a form that can be read and compared. */
async function frameOf(screen: ScreenId, hasColor: boolean): Promise<string> {
  const tui = await showScene({ screen, hasColor });
  open.push(tui);
  return tui.frame().replaceAll('\u001b[', '\\e[');
}

const codesOf = (frame: string) => [
  ...new Set([...frame.matchAll(/\\e\[([\d;]*)m/g)].map(([, code]) => code)),
];

test.each(SCREENS)('%s uses the sixteen colours of the terminal', async (screen) => {
  const frame = await frameOf(screen, true);
  for (const code of codesOf(frame)) expect(code).toMatch(/^(?:[123479]|2[23479]|3[0-79]|9[0-7])$/);
  await expect(`${frame}\n`).toMatchFileSnapshot(`frames/${screen}-16-colours.txt`);
});

test.each(SCREENS)('%s without colours says the same, with styles alone', async (screen) => {
  const frame = await frameOf(screen, false);
  for (const code of codesOf(frame)) expect(code).toMatch(/^(?:[123479]|2[23479])$/);
  await expect(`${frame}\n`).toMatchFileSnapshot(`frames/${screen}-no-colours.txt`);
  const plain = (text: string) => text.replace(/\\e\[[\d;]*m/g, '');
  expect(plain(frame)).toBe(plain(await frameOf(screen, true)));
});
