import { readFileSync } from 'node:fs';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { SCREENS, type ScreenId } from '../../../cli/tui/state/state.ts';
import { showRunsSideBySide, showScene } from '../../helpers/terminal/tui-scene.ts';

/** Read when Ink is loaded: a terminal of sixteen colours. */
vi.hoisted(() => void (process.env['FORCE_COLOR'] = '1'));
beforeAll(() => void vi.stubEnv('TZ', 'UTC'));

const open: { close: () => void }[] = [];
afterEach(() => open.splice(0).forEach((each) => each.close()));

const SIDE_BY_SIDE = 'agent-runs';
const SCENES = [...SCREENS, SIDE_BY_SIDE] as const;
const LARGER = [
  [120, 40],
  [200, 50],
] as const;

/** The frame with its control sequences in a form that can be read and compared. */
async function frameOf(
  scene: ScreenId | typeof SIDE_BY_SIDE,
  hasColor: boolean,
  [columns, rows]: readonly [number, number] = [80, 24],
): Promise<string> {
  const shown = { hasColor, columns, rows };
  const tui = await (scene === SIDE_BY_SIDE
    ? showRunsSideBySide(shown)
    : showScene({ ...shown, screen: scene }));
  open.push(tui);
  return tui.frame().replaceAll('\u001b[', '\\e[');
}

const plain = (text: string) => text.replace(/\\e\[[\d;]*m/g, '');

const codesOf = (frame: string) => [
  ...new Set([...frame.matchAll(/\\e\[([\d;]*)m/g)].map(([, code]) => code)),
];

const SIXTEEN = /^(?:[123479]|2[23479]|3[0-79]|9[0-7])$/;
const STYLES = /^(?:[123479]|2[23479])$/;

test.each(SCENES)('%s uses the sixteen colours of the terminal', async (screen) => {
  const frame = await frameOf(screen, true);
  for (const code of codesOf(frame)) expect(code).toMatch(SIXTEEN);
  await expect(`${frame}\n`).toMatchFileSnapshot(`frames/${screen}-16-colours.txt`);
});

test.each(SCENES)('%s without colours says the same, with styles alone', async (screen) => {
  const frame = await frameOf(screen, false);
  for (const code of codesOf(frame)) expect(code).toMatch(STYLES);
  await expect(`${frame}\n`).toMatchFileSnapshot(`frames/${screen}-no-colours.txt`);
  expect(plain(frame)).toBe(plain(await frameOf(screen, true)));
});

describe.each(LARGER)('at %dx%d', (columns, rows) => {
  test.each(SCENES)('%s has the same colours and styles, and says the same without them', async (scene) => {
    const colored = await frameOf(scene, true, [columns, rows]);
    const mono = await frameOf(scene, false, [columns, rows]);
    for (const code of codesOf(colored)) expect(code).toMatch(SIXTEEN);
    for (const code of codesOf(mono)) expect(code).toMatch(STYLES);
    expect(plain(mono)).toBe(plain(colored));
    const golden = readFileSync(new URL(`frames/${scene}-${columns}x${rows}.txt`, import.meta.url), 'utf8');
    expect(golden.startsWith(`${plain(colored)}\n\n`)).toBe(true);
  });
});
