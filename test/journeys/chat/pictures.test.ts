import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sequencesIn } from '../../helpers/terminal/sequences.ts';
import { openConversation } from '../../helpers/terminal/conversation.ts';
import {
  decodeIterm2,
  decodeKitty,
  decodeSixel,
  gradientFile,
  pixelsOf,
} from '../../helpers/terminal/pictures.ts';
import type { Terminal } from '../../helpers/terminal/terminal.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const ESC = '\u001b';
/** 120×60 pixels in characters of 10×20: twelve columns, three rows. */
const SIZE = { width: 120, height: 60 };
const CELL = `${ESC}[6;20;10t`;
const KNOWS_KITTY = `${ESC}_Gi=31;OK${ESC}\\`;
const KNOWS_SIXEL = `${ESC}[?62;4;22c`;
const KNOWS_NEITHER = `${ESC}[?62;22c`;
const ASKS_KITTY = `${ESC}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA${ESC}\\`;
const ASKS = `${ESC}[16t${ESC}[?2;1;0S${ESC}[c`;
const DRAWN_FROM_BELOW = `${ESC}7\r${ESC}[3A`;

async function pictureIn(folder: string): Promise<Buffer> {
  const file = await gradientFile(SIZE.width, SIZE.height);
  writeFileSync(join(folder, 'harbour.png'), file);
  return file;
}

/** The test plays the terminal: it answers what is asked, once. */
function answers(terminal: Terminal, ...parts: string[]): void {
  let output = '';
  const stop = terminal.onOutput((part) => {
    output += part;
    if (!output.includes(ASKS)) return;
    stop();
    for (const each of parts) terminal.type(each);
  });
}

async function talkAbout(folder: string, env: Record<string, string> = {}, flags = '') {
  const conversation = await openConversation({ folder, flags: `-m svc-vision-v1 ${flags}`, env });
  const { terminal, leave } = conversation;
  return {
    ...conversation,
    /** A message with the image, until it is answered. */
    ask: async (): Promise<string> => {
      const before = terminal.output().length;
      terminal.type('what is this? @harbour.png \r');
      await terminal.shows(/Attached harbour\.png: an image\n[^]*Well said\./);
      return terminal.output().slice(before);
    },
    end: async (): Promise<string> => {
      await leave();
      return terminal.output();
    },
  };
}

const graphicsIn = (output: string) => sequencesIn(output).filter((each) => /^[P_]|^\]1337/.test(each));

test('kitty is asked once and gets the image; keys typed meanwhile are part of a message', async () => {
  const folder = temporaryFolder();
  const file = await pictureIn(folder);
  const { terminal, end, asked } = await talkAbout(folder);
  answers(terminal, 'and a ', KNOWS_KITTY, 'boa', CELL, 't?', KNOWS_NEITHER);
  terminal.type('/image harbour.png\r');
  await terminal.shows(
    'The next message has 1 image: harbour.png. Now ask about it.\n\n\n\n\n>>> and a boat?',
  );
  terminal.type('\r');
  await terminal.shows('Well said.');
  expect(asked()).toEqual([
    [
      { type: 'text', text: 'and a boat?' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${file.toString('base64')}` } },
    ],
  ]);
  const { settings, picture } = await decodeKitty(terminal.output());
  expect(settings).toMatch(/^a=T,c=12,C=1,f=100,q=2,m=/);
  expect(picture).toEqual(await pixelsOf(file));
  expect(terminal.output()).toContain(`${DRAWN_FROM_BELOW}${ESC}_Ga=T`);
  const output = await end();
  expect(output.split(ASKS_KITTY)).toHaveLength(2);
  expect(output.split(ASKS)).toHaveLength(2);
}, 120_000);

test('a terminal with sixel graphics gets them in the size of its characters, and never larger than the image', async () => {
  const folder = temporaryFolder();
  await pictureIn(folder);
  const { terminal, ask, end } = await talkAbout(folder);
  answers(terminal, CELL, KNOWS_SIXEL);
  const output = await ask();
  expect(decodeSixel(output)).toMatchObject(SIZE);
  expect(output).toContain(`${DRAWN_FROM_BELOW}${ESC}P0;1;0q`);
  // The rows of the image and one more are free, and the answer comes below them.
  expect(terminal.text()).toMatch(/an image\n\n\n\n\nWell said\./);
  await end();
}, 120_000);

/** The answers of Debian 12's terminals. */
const RECORDED = {
  // `xterm -ti vt340` with its defaults, 80×24 characters of 6×13: it does not report the size of a character.
  xterm: [`${ESC}[?2;0;480;312S`, `${ESC}[?63;1;2;4;6;9;15;16;22;28c`],
  mlterm: [`${ESC}[6;19;10t`, `${ESC}[?1;3;0S`, `${ESC}[?63;1;2;3;4;6;7;15;18;22;29c`],
  foot: [`${ESC}[6;14;7t`, `${ESC}[?2;0;560;336S`, `${ESC}[?62;4;22c`],
  // It draws kitty graphics, and sixel graphics of any size.
  konsole: [KNOWS_KITTY, `${ESC}[6;17;8t`, `${ESC}[?2;0;16384;16384S`, `${ESC}[?62;1;4c`],
  kitty: [KNOWS_KITTY, `${ESC}[6;18;9t`, `${ESC}[?62;c`],
};

test.each([
  ['xterm 379', RECORDED.xterm, 5],
  ['mlterm 3.9.0', RECORDED.mlterm, 4],
  ['foot 1.13.1', RECORDED.foot, 5],
])(
  'to what %s answers, sixel graphics follow in as many rows as they cover',
  async (_name, recorded, rows) => {
    const folder = temporaryFolder();
    await pictureIn(folder);
    const { terminal, ask, end } = await talkAbout(folder);
    answers(terminal, ...recorded);
    const output = await ask();
    expect(decodeSixel(output)).toMatchObject(SIZE);
    expect(output).toContain(`${ESC}7\r${ESC}[${rows}A${ESC}P0;1;0q`);
    await end();
  },
  120_000,
);

test.each([
  ['Konsole 22.12.3', RECORDED.konsole, 'c=15', 4],
  ['kitty 0.26.5', RECORDED.kitty, 'c=13', 4],
])(
  "to what %s answers, kitty's graphics follow in as many rows as they cover",
  async (_name, recorded, columns, rows) => {
    const folder = temporaryFolder();
    await pictureIn(folder);
    const { terminal, ask, end } = await talkAbout(folder);
    answers(terminal, ...recorded);
    expect(await ask()).toContain(`${ESC}7\r${ESC}[${rows}A${ESC}_Ga=T,${columns},C=1`);
    await end();
  },
  120_000,
);

test('iTerm2 is recognised by its name and gets a picture in its own protocol', async () => {
  const folder = temporaryFolder();
  const file = await pictureIn(folder);
  const { terminal, ask, end } = await talkAbout(folder, { LC_TERMINAL: 'iTerm2' });
  answers(terminal, KNOWS_SIXEL);
  const { settings, picture } = await decodeIterm2(await ask());
  expect(settings).toContain('width=12;height=3;preserveAspectRatio=1');
  expect(picture).toEqual(await pixelsOf(file));
  await end();
}, 120_000);

test('a large image takes at most half of the screen, and keeps its proportions', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'harbour.png'), await gradientFile(3000, 1500));
  const { terminal, ask, end } = await talkAbout(folder);
  answers(terminal, CELL, KNOWS_SIXEL);
  // 24 rows, so twelve of 20 pixels.
  expect(decodeSixel(await ask())).toMatchObject({ width: 480, height: 240 });
  await end();
}, 120_000);

test('a terminal that answers nothing shows only the name, and the conversation continues', async () => {
  const folder = temporaryFolder();
  await pictureIn(folder);
  const { terminal, ask, end } = await talkAbout(folder);
  await ask();
  await ask();
  expect(terminal.text()).toMatch(/an image\nWell said\./);
  const output = await end();
  expect(graphicsIn(output).filter((each) => !each.includes('a=q'))).toEqual([]);
  expect(output.split(ASKS)).toHaveLength(2);
}, 120_000);

test.each([
  ['with NO_COLOR', { NO_COLOR: '1' }, ''],
  ['on a terminal that prints unknown questions', { TERM_PROGRAM: 'Apple_Terminal' }, ''],
  ['in screen', { STY: '1234.pts-0', TERM: 'screen' }, ''],
  ['with a setting that says so', { ASKD_CHAT_IMAGES: 'off' }, ''],
  ['for a screen reader', { INK_SCREEN_READER: 'true' }, ''],
  ['as plain text', {}, '--plain'],
])(
  'nothing is asked or drawn %s',
  async (_name, env, flags) => {
    const folder = temporaryFolder();
    await pictureIn(folder);
    const { ask, end } = await talkAbout(folder, env, flags);
    await ask();
    const output = await end();
    expect(output).not.toContain(ASKS);
    expect(graphicsIn(output)).toEqual([]);
  },
  120_000,
);

test('the protocol of the setting needs no answer, and /set changes it', async () => {
  const folder = temporaryFolder();
  const file = await pictureIn(folder);
  const { terminal, ask, end } = await talkAbout(folder, { ASKD_CHAT_IMAGES: 'kitty' });
  expect((await decodeKitty(await ask())).picture).toEqual(await pixelsOf(file));
  terminal.type('/set images off\r');
  await terminal.shows('images is off. To keep it: askd config set chat_images off');
  expect(graphicsIn(await ask())).toEqual([]);
  await end();
}, 120_000);

/** A program that stands in for tmux and says whether it passes sequences on, and to which terminal. */
function tmuxSaying(folder: string, answer: string): Record<string, string> {
  writeFileSync(join(folder, 'tmux'), `#!/bin/sh\necho "${answer}"\n`);
  chmodSync(join(folder, 'tmux'), 0o755);
  return { TMUX: '/tmp/tmux,1,0', TERM: 'tmux-256color', PATH: `${folder}:${process.env['PATH'] ?? ''}` };
}

test.each([
  ['in tmux that passes nothing on', '0 kitty(0.35.2) xterm-kitty'],
  // It shows boxes for the text that stands for an image.
  ["in the tmux of Debian 12's kitty", 'on kitty(0.26.5) xterm-kitty'],
  ['in the tmux of a terminal that knows no graphics', 'on XTerm(379) xterm-256color'],
])(
  '%s, only the name is shown',
  async (_name, said) => {
    const folder = temporaryFolder();
    await pictureIn(folder);
    const { terminal, ask, end } = await talkAbout(folder, tmuxSaying(folder, said));
    answers(terminal, KNOWS_NEITHER);
    await ask();
    const output = await end();
    expect(graphicsIn(output)).toEqual([]);
    expect(output).not.toContain('\u{10eeee}');
  },
  120_000,
);

test('in a tmux that passes sequences on, kitty gets the image and tmux the placeholder text', async () => {
  const folder = temporaryFolder();
  const file = await pictureIn(folder);
  const { terminal, ask, end } = await talkAbout(folder, tmuxSaying(folder, 'on kitty(0.35.2) xterm-kitty'));
  answers(terminal, CELL, KNOWS_NEITHER);
  const output = await ask();
  // eslint-disable-next-line no-control-regex -- it is what is looked for
  const passed = [...output.matchAll(/\u001bPtmux;((?:[^\u001b]|\u001b\u001b)*)\u001b\\/g)].map(
    ([, inner = '']) => inner.replaceAll(ESC + ESC, ESC),
  );
  const { settings, picture } = await decodeKitty(passed.join(''));
  expect(settings).toMatch(/^a=T,U=1,i=1,c=12,r=3,/);
  expect(picture).toEqual(await pixelsOf(file));
  expect(output.match(/\u{10eeee}/gu)).toHaveLength(36);
  await end();
}, 120_000);

test('a tmux that draws sixel graphics itself gets them unchanged', async () => {
  const folder = temporaryFolder();
  await pictureIn(folder);
  const { terminal, ask, end } = await talkAbout(folder, tmuxSaying(folder, '0 foot foot'));
  answers(terminal, CELL, KNOWS_SIXEL);
  expect(decodeSixel(await ask())).toMatchObject(SIZE);
  await end();
}, 120_000);
