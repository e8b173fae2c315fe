import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { binFile } from '../../../src/base/paths.ts';
import { install } from '../../helpers/daemon/installation.ts';
import { pictureFile } from '../../helpers/models/image-files.ts';
import { openConversation } from '../../helpers/terminal/conversation.ts';
import { sequencesIn } from '../../helpers/terminal/sequences.ts';
import { openTerminal } from '../../helpers/terminal/terminal.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const SIZE = { columns: 100, rows: 30 };
const askd = `${process.execPath} ${binFile('askd.js')}`;
const ENTER = '\r';
const ESC = '\u001b';
const CTRL_D = '\u0004';

/**
 * The list in docs/internals/terminal.md; each is known to tmux, to the usual terminals over ssh and to Windows
 * Terminal.
 */
const EVERYWHERE = [/^\[[\d;]*m$/, /^\[K$/, /^\[0?J$/, /^\[\?25[hl]$/, /^\[\?2026[hl]$/, /^\]52;c;[\w+/=]*$/];
/** Styles and their ends, the sixteen colours and the default. */
const STYLE = /^\[(?:[0-47]|9|2[23479]|3[0-79]|9[0-7])?m$/;
const COLOR = /^\[(?:3[0-7]|9[0-7])m$/;
/** Bracketed paste, and keys by name. */
const KEYBOARD = [/^\[\?2004[hl]$/, /^\[(?:>5|<)u$/];
const DASHBOARD = [...EVERYWHERE, ...KEYBOARD, /^\[\d+;1H$/, /^\[H$/, /^\[2J$/, /^\[\?1049[hl]$/];
const CHAT = [...EVERYWHERE, ...KEYBOARD, /^\[\d*[ABCDG]$/, /^\]8;[^;]*;\S*$/];
/** The queries, and the cursor before and after an image. */
const IMAGE = [/^\[16t$/, /^\[\?2;1;0S$/, /^\[c$/, /^_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA$/, /^[78]$/];

/** Only the program's own output: `stty` and the shell around it write no sequences. */
function strangers(output: string, allowed: readonly RegExp[]): string[] {
  return [...new Set(sequencesIn(output))].filter((each) => !allowed.some((known) => known.test(each)));
}

const stylesIn = (output: string) => sequencesIn(output).filter((each) => /^\[[\d;]*m$/.test(each));

// eslint-disable-next-line no-control-regex -- it is what is looked for
const FRAME_EDGE = /\u001b\[\?2026[hl]/;

/** What is written between the begin and the end of a frame, and the rest. */
function framesOf(output: string): { frames: string[]; between: string } {
  const parts = output.split(FRAME_EDGE);
  return {
    frames: parts.filter((_, index) => index % 2 === 1),
    between: parts.filter((_, index) => index % 2 === 0).join(''),
  };
}

/** Whatever has happened, the last sequence for each mode is the one that a shell expects. */
function expectRestored(output: string): void {
  for (const [on, off] of [
    ['[?1049h', '[?1049l'],
    ['[?25l', '[?25h'],
    ['[?2026h', '[?2026l'],
    ['[?2004h', '[?2004l'],
  ] as const)
    expect(output.lastIndexOf(ESC + off), `${on} is undone`).toBeGreaterThanOrEqual(
      output.lastIndexOf(ESC + on),
    );
}

test('the dashboard writes only known sequences, never clears after its first frame, and restores the terminal', async () => {
  const { askd: run, environment } = install();
  await run(['up']);
  const terminal = openTerminal(`${askd} tui`, SIZE, environment);
  await terminal.shows(/\[1 Chat\].*up /);
  for (const [key, title] of [
    'Overview',
    'Models',
    'Keys',
    'Wallet',
    'Webhooks',
    'Agent',
    'Logs',
  ].entries()) {
    terminal.type(String(key + 2));
    await terminal.shows(`[${key + 2} ${title}]`);
  }
  terminal.type('4');
  await terminal.shows('[4 Keys]');
  terminal.type('n');
  await terminal.shows('Create a key');
  terminal.type('laptop');
  await terminal.shows('laptop');
  terminal.type(ENTER);
  terminal.type(ENTER);
  terminal.type(ENTER);
  await terminal.shows('copies it');
  terminal.type('y');
  await terminal.shows(/copied/i);
  terminal.type(ESC);
  await terminal.shows('LAST USED');
  terminal.type('q');
  await terminal.shows('ended with 0');

  const output = terminal.output();
  expect(strangers(output, DASHBOARD)).toEqual([]);
  expect(stylesIn(output).filter((each) => !STYLE.test(each))).toEqual([]);
  expect(stylesIn(output).filter((each) => COLOR.test(each))).not.toEqual([]);
  const { frames, between } = framesOf(output);
  expect(frames.length).toBeGreaterThan(10);
  expect(frames.filter((frame) => frame.includes('\u001b[2J'))).toEqual([]);
  expect(sequencesIn(between).filter((each) => each === '[2J')).toHaveLength(1);
  // Between frames nothing moves the cursor: it is hidden before the first and shown after the last.
  expect(sequencesIn(between).filter((each) => !each.startsWith(']52'))).toEqual([
    '[?1049h',
    '[?25l',
    '[H',
    '[2J',
    '[?2004h',
    '[>5u',
    '[<u',
    '[?2004l',
    '[?25h',
    '[?1049l',
  ]);
  expectRestored(output);
});

test('with NO_COLOR the dashboard has styles, and no colours', async () => {
  const { askd: run, environment } = install();
  await run(['up']);
  const terminal = openTerminal(`${askd} tui --screen keys`, SIZE, { ...environment, NO_COLOR: '1' });
  await terminal.shows('There are no keys');
  terminal.type('q');
  await terminal.shows('ended with 0');
  expect(stylesIn(terminal.output())).toContain('[1m');
  expect(stylesIn(terminal.output()).filter((each) => COLOR.test(each))).toEqual([]);
});

test('a dashboard that is ended by a signal restores the terminal', async () => {
  const { askd: run, environment } = install();
  await run(['up']);
  const terminal = openTerminal(`sh -c "echo pid \\$\\$ end; exec ${askd} tui"`, SIZE, environment);
  await terminal.shows(/\[1 Chat\].*up /);
  process.kill(Number(/pid (\d+) end/.exec(terminal.output())?.[1]), 'SIGTERM');
  await terminal.shows('ended with');
  expectRestored(terminal.output());
  expect(terminal.isOnOtherScreen()).toBe(false);
});

test('for a screen reader nothing is moved, erased or painted over', async () => {
  const { askd: run, environment } = install();
  await run(['up']);
  const terminal = openTerminal(`${askd} tui --screen-reader --screen keys`, SIZE, environment);
  await terminal.shows('There are no keys');
  terminal.type('5');
  await terminal.shows('Welcome');
  terminal.type('q');
  await terminal.shows('ended with 0');
  expect(sequencesIn(terminal.output())).toEqual([]);
  expect(terminal.output()).toContain('Screen Keys.');
  expect(terminal.output()).toContain('Screen Wallet.');
});

test('askd chat writes only known sequences and restores the terminal', async () => {
  const { askd: run, environment } = install();
  await run(['up']);
  const terminal = openTerminal(`${askd} chat --temperature 0`, SIZE, environment);
  await terminal.shows('>>>');
  terminal.type(`how do I add a webhook?${ENTER}`);
  await terminal.shows(/askd webhooks add[^]*\n>>>/);
  terminal.type(CTRL_D);
  await terminal.shows('ended with 0');
  expect(strangers(terminal.output(), CHAT)).toEqual([]);
  expectRestored(terminal.output());
});

test.each([
  ['kitty', /^_G[^;]+;[\w+/=]*$/],
  ['iterm2', /^\]1337;File=[^:]+:[\w+/=]+$/],
  ['sixel', /^P0;1;0q[ -~]+$/],
])(
  'an image in the protocol of %s adds few sequences',
  async (protocol, image) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'lime.png'), await pictureFile('lime'));
    const flags = '-m svc-vision-v1';
    const { terminal, leave } = await openConversation({
      folder,
      flags,
      env: { ASKD_CHAT_IMAGES: protocol },
    });
    terminal.type(`what is @lime.png ${ENTER}`);
    await terminal.shows('Well said.');
    await leave();
    expect(sequencesIn(terminal.output()).filter((each) => image.test(each))).not.toEqual([]);
    expect(strangers(terminal.output(), [...CHAT, ...IMAGE, image])).toEqual([]);
    expectRestored(terminal.output());
  },
  120_000,
);
