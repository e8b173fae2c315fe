import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { animate } from '../../../../scripts/captures/recordings/animate.ts';
import {
  fromAsciicast,
  fromCleared,
  recordPty,
  toAsciicast,
} from '../../../../scripts/captures/recordings/cast.ts';
import { openTerminal } from '../../../helpers/terminal/terminal.ts';

const FOLDER = new URL('../../../../scripts/captures/recordings/', import.meta.url);
const CLEARED = '\u001b[H\u001b[2J';

/** A title, then a line that is replaced by another, which stays. */
const SESSION = toAsciicast(
  {
    ...{ columns: 20, rows: 4 },
    events: [
      [0, `${CLEARED}\u001b[1mtitle\u001b[0m\r\n`],
      [0.5, '\u001b[32mfirst <1>\u001b[0m'],
      [1, '\r\u001b[Ksecond'],
    ],
  },
  'a & b',
);

type Shown = { classes: string[]; text: string };

/** The rows of an animation. Fails unless every element that starts also ends, and text is only text. */
function rowsOf(svg: string): Shown[] {
  const markup = svg.replace(/<style>[^<]*<\/style>/, '');
  const open: string[] = [];
  for (const [, slash, name = '', rest = ''] of markup.matchAll(/<(\/?)([a-z]+)([^<>]*)>/g)) {
    if (slash === '/') expect(open.pop()).toBe(name);
    else if (!rest.endsWith('/')) open.push(name);
  }
  expect(open).toEqual([]);
  const texts = markup.replaceAll(/<\/?[a-z]+(?: [\w:-]+="[^"<]*")*\/?>/g, '');
  expect(texts).not.toMatch(/[<>]|&(?!(?:amp|lt|gt|quot);)/);
  return Array.from(
    svg.matchAll(/<g class="(\S+)( end| past)?">(.*?)<\/g>/g),
    ([, name = '', kind = '', row = '']) => ({
      classes: [name, kind.trim()].filter(Boolean),
      text: row
        .replaceAll(/<[^>]*>/g, '')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .trim(),
    }),
  );
}

const styleOf = (svg: string) => /<style>([^<]*)<\/style>/.exec(svg)?.[1] ?? '';

/** The rows that are visible at a moment, from 0 to 100, according to the keyframes of the style. */
function shownAt(svg: string, percent: number): string[] {
  const style = styleOf(svg);
  return rowsOf(svg).flatMap(({ classes: [name = ''], text }) => {
    const steps = new RegExp(`@keyframes ${name}\\{(.*?\\})\\}`).exec(style)?.[1] ?? '0%{visibility:visible}';
    const past = [...steps.matchAll(/([\d.]+)%\{visibility:(\w+)\}/g)].filter(
      ([, at]) => Number(at) <= percent,
    );
    return past.at(-1)?.[2] === 'visible' ? [text] : [];
  });
}

describe('an animation', () => {
  test('shows each line from when it was written until it was overwritten, and the last screen the longest', async () => {
    const svg = await animate(SESSION);
    expect(shownAt(svg, 0)).toEqual(['title']);
    expect(shownAt(svg, 12)).toEqual(['title', 'first <1>']);
    expect(shownAt(svg, 20)).toEqual(['title', 'second']);
    expect(shownAt(svg, 99)).toEqual(['title', 'second']);
    expect(svg).toContain('<title>a &amp; b</title>');
  });

  test('is still for readers who prefer reduced motion, and light in light mode', async () => {
    const svg = await animate(SESSION);
    const [still = ''] = /@media \(prefers-reduced-motion:reduce\)\{.*\}/.exec(styleOf(svg)) ?? [];
    expect(still).toContain('.end,.past{animation:none}.past{visibility:hidden}');
    const kinds = rowsOf(svg).map(({ classes, text }) => [text, classes.at(-1)]);
    expect(kinds).toContainEqual(['title', 'end']);
    expect(kinds).toContainEqual(['first <1>', 'past']);
    expect(kinds).toContainEqual(['second', 'end']);
    const [, light = ''] =
      /@media \(prefers-color-scheme:light\)\{((?:[^{}]*\{[^{}]*\})*)\}/.exec(styleOf(svg)) ?? [];
    expect(light).toContain('#fafafa');
    expect(light).not.toContain('#14161b');
  });
});

test('what a program writes on a terminal is recorded from where it clears the screen, and can be read back', async () => {
  const script =
    'echo before; printf "\\033[H\\033[2J"; echo first; read -r line; echo "second $line"; read -r _';
  const terminal = openTerminal(script, { columns: 30, rows: 5 }, {});
  const end = recordPty(terminal);
  await terminal.shows('first');
  terminal.type('thing\n');
  await terminal.shows('second thing');
  const cast = fromCleared(end());
  const text = toAsciicast(cast, 'a session');
  expect(JSON.parse(text.split('\n')[0] ?? '')).toEqual({
    version: 2,
    width: 30,
    height: 5,
    title: 'a session',
  });
  const read = fromAsciicast(text);
  expect(read.events.map(([, output]) => output)).toEqual(cast.events.map(([, output]) => output));
  expect(read.events[0]).toEqual([0, expect.stringMatching(/^\u001b\[H\u001b\[2J/)]); // eslint-disable-line no-control-regex -- it clears the screen
  const svg = await animate(text);
  expect(svg).toContain('>second thing<');
  expect(svg).not.toContain('before');
}, 120_000);

test.each([
  ['chat', 'askd chat', /API key/],
  ['agent', 'askd agent', /\[1\]/],
])('the session of %s in the docs matches its recording', async (name, command, answer) => {
  const svg = readFileSync(new URL(`${name}.svg`, FOLDER), 'utf8');
  expect(svg).toBe(await animate(readFileSync(new URL(`${name}.cast`, FOLDER), 'utf8')));
  expect(svg.length).toBeLessThan(200_000);
  expect(styleOf(svg).match(/@keyframes/g)?.length).toBeGreaterThan(5);
  expect(shownAt(svg, 0).join('\n')).toContain(`$ ${command}`);
  expect(shownAt(svg, 99.9).join('\n')).toMatch(answer);
});
