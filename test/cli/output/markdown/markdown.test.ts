import fc from 'fast-check';
import xterm from '@xterm/headless';
import { describe, expect, test } from 'vitest';
import { createMarkdown } from '../../../../cli/output/markdown/markdown.ts';

const STYLES = /\u001b\[[0-9;]*m/g; // eslint-disable-line no-control-regex -- styles are what is looked for

function render(parts: string | readonly string[], columns = 60): string {
  let written = '';
  const markdown = createMarkdown(
    (text) => (written += text),
    () => columns,
  );
  for (const part of [parts].flat()) markdown.push(part);
  markdown.end();
  return joinStyles(written);
}

/** Merges neighbouring words of the same style. */
function joinStyles(text: string): string {
  const twice = /\u001b\[([\d;]+)m([^\u001b]*)\u001b\[0m\u001b\[\1m/; // eslint-disable-line no-control-regex -- as above
  const joined = text.replace(twice, '\u001b[$1m$2');
  return joined === text ? text : joinStyles(joined);
}

const plain = (text: string, columns?: number) => render(text, columns).replace(STYLES, '');

describe('a reply on a terminal', () => {
  test.each([
    ['# Title', '\u001b[1;4mTitle\u001b[0m\n'],
    ['### Smaller', '\u001b[1mSmaller\u001b[0m\n'],
    ['**bold** and *slanted*', '\u001b[1mbold\u001b[0m and \u001b[3mslanted\u001b[0m\n'],
    ['***both*** ~~gone~~', '\u001b[1;3mboth\u001b[0m \u001b[9mgone\u001b[0m\n'],
    [
      '**bold with `code` in it**',
      '\u001b[1mbold with \u001b[0m\u001b[1;36mcode\u001b[0m\u001b[1m in it\u001b[0m\n',
    ],
    ['a `b*c` d', 'a \u001b[36mb*c\u001b[0m d\n'],
    ['[here](http://a.b)', '\u001b[4mhere\u001b[0m\u001b[2m (http://a.b)\u001b[0m\n'],
    ['[http://a.b](http://a.b)', '\u001b[4mhttp://a.b\u001b[0m\n'],
    ['![a cat](cat.png)', '\u001b[4ma cat\u001b[0m\u001b[2m (cat.png)\u001b[0m\n'],
    ['```', '\u001b[2m```\u001b[0m\n'],
  ])('%j is shown in its style', (source, screen) => expect(render(source)).toBe(screen));

  test.each([
    ['- one\n* two\n+ three', '• one\n• two\n• three\n'],
    ['1. one\n  - inner\n12) two', '1. one\n  • inner\n12) two\n'],
    ['- [ ] to do\n- [x] done', '• [ ] to do\n• [x] done\n'],
    ['> said\n> > deeper\nfree', '│ said\n│ │ deeper\nfree\n'],
    ['a\n\n---\n* * *\n\nb', `a\n\n${'─'.repeat(40)}\n${'─'.repeat(40)}\n\nb\n`],
  ])('%j is laid out', (source, screen) => expect(plain(source)).toBe(screen));

  test.each([
    '5 * 3 * 2 = 30',
    'snake_case_name and my__init__py is_it',
    '**never closed',
    'array[0] and f[1] (not a link)',
    'a ~5 and ~10',
    '`never closed either',
    '#hashtag, 3.14, -5, ->',
    'C:\\path \\(x_1\\)',
    'wow! [1]',
    '| a | b without a table',
  ])('%j is not Markdown and stays as it is', (source) => expect(plain(source)).toBe(`${source}\n`));

  test('escaped marks are shown as marks', () =>
    expect(plain('\\*not\\* \\_it\\_ 1\\. \\# x')).toBe('*not* _it_ 1. # x\n'));

  test('words wrap to the next line, below the text of their item or quote', () => {
    expect(plain('one two three', 8)).toBe('one two\nthree\n');
    expect(plain('- one two\n> three four', 8)).toBe('• one\n  two\n│ three\n│ four\n');
    expect(plain('漢字漢字漢字', 8)).toBe('漢字漢字\n漢字\n');
  });

  test('a word that is longer than a line is left whole, so that it can be copied', () => {
    const address = `https://example.com/${'a'.repeat(50)}`;
    expect(plain(`see ${address} it`, 20)).toBe(`see\n${address} it\n`);
  });

  test('a table has columns, and wraps its cells where the screen is narrow', () => {
    const table = '| Name | Price |\n|---|--:|\n| `a|b` | 5 |\n| c \\| d | **1000** |\n\nend';
    expect(plain(table)).toBe('Name   Price\n─────  ─────\na|b        5\nc | d   1000\n\nend\n');
    const wide = '| A | B |\n|---|---|\n| x | one two three four |';
    expect(plain(wide, 16)).toBe('A  B\n─  ─────────────\nx  one two three\n   four\n');
  });

  test('code keeps every letter and space, whatever its marks', () => {
    const code = 'if (a  **  b) {\n\t# no title\n    - no item\n}';
    expect(plain(`\`\`\`c\n${code}\n\`\`\`\nafter *it*`, 10)).toBe(`\`\`\`c\n${code}\n\`\`\`\nafter it\n`);
  });

  test('a mark that is still open at the end is shown all the same', () => {
    expect(plain('```js\nlet a')).toBe('```js\nlet a\n');
    expect(plain('a **b')).toBe('a **b\n');
    expect(plain('| a |')).toBe('| a |\n');
    expect(plain('see [it](http')).toBe('see [it](http\n');
    expect(plain('')).toBe('');
  });

  test('a word is on the screen as soon as it is whole', () => {
    let written = '';
    const markdown = createMarkdown(
      (text) => (written += text),
      () => 60,
    );
    markdown.push('The answer is **fort');
    expect(written).toBe('The answer is');
    markdown.push('y-two** and');
    expect(written).toBe('The answer is \u001b[1mforty-two\u001b[0m');
  });
});

const word = fc.stringMatching(/^[a-zA-Zäé漢0-9]{1,9}$/);
const words = fc.array(word, { minLength: 1, maxLength: 12 });
const marked = fc.tuple(fc.constantFrom('', '*', '**', '***', '`', '~~', '_'), words);
const paragraph = fc.array(marked, { minLength: 1, maxLength: 5 });
const start = fc.constantFrom('', '# ', '## ', '- ', '  - ', '1. ', '> ', '> - ');

/** Markdown whose words are known. */
const documents = fc.array(fc.tuple(start, paragraph), { maxLength: 6 }).map((lines) => ({
  source: lines.map(
    ([mark, parts]) => mark + parts.map(([each, list]) => each + list.join(' ') + each).join(' '),
  ),
  words: lines.flatMap(([, parts]) => parts.flatMap(([, list]) => list)),
}));

/** Random text in which Markdown's own characters are more frequent. */
const anything = fc
  .array(
    fc.oneof(
      { arbitrary: fc.constantFrom(...'*_`~[]()!#>|-+\\ \n1.:"a'), weight: 6 },
      fc.constantFrom(
        '**',
        '```',
        '```js\n',
        '\n| a | b |\n',
        '|---|:-:|\n',
        '\n> ',
        '](x)',
        '\n- ',
        '漢',
        '😀',
      ),
      word,
      fc.string({ unit: 'grapheme', maxLength: 4 }),
    ),
    { maxLength: 80 },
  )
  .map((parts) => parts.join('').replace(/[^\P{C}\n]/gu, ''));

describe('for every text', () => {
  test('the screen is the same however the text was split', () => {
    fc.assert(
      fc.property(anything, fc.array(fc.nat(20)), fc.integer({ min: 20, max: 70 }), (text, cuts, columns) => {
        const parts: string[] = [];
        let rest = text;
        for (const cut of cuts) {
          parts.push(rest.slice(0, cut));
          rest = rest.slice(cut);
        }
        const whole = render(text, columns);
        expect(render([...parts, rest], columns)).toBe(whole);
        expect(render(text.split(''), columns)).toBe(whole);
      }),
      { numRuns: 1000 },
    );
  });

  test('without its styles it has the words of the text, in their order', () => {
    fc.assert(
      fc.property(documents, fc.integer({ min: 20, max: 90 }), ({ source, words: expected }, columns) => {
        const shown = plain(source.join('\n'), columns).replace(/^(?: *(?:[•│]|\d+\.) )+/gm, '');
        expect(shown.replace(/\s+/g, '')).toBe(expected.join(''));
      }),
      { numRuns: 500 },
    );
  });

  test('no letter and no number is lost', () => {
    const letters = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '');
    fc.assert(
      fc.property(anything, (text) => {
        fc.pre(!/\[|^[ \t]*(?:> ?)*[ \t]*\|/m.test(text));
        expect(letters(plain(text))).toBe(letters(text));
      }),
      { numRuns: 1000 },
    );
  });

  test('only styles and line ends control the terminal', () => {
    fc.assert(
      fc.property(anything, (text) => {
        expect(plain(text)).not.toMatch(/[^\P{C}\n]/u);
      }),
    );
  });
});

test('a screen shows the lines that were meant for it', async () => {
  const screen = new xterm.Terminal({ cols: 24, rows: 10, allowProposedApi: true, convertEol: true });
  const text = render('## Why\n- **one** two three four five\n\n`x` is here', 24);
  await new Promise<void>((resolve) => screen.write(text, resolve));
  const lines = Array.from({ length: 5 }, (_, row) =>
    screen.buffer.active.getLine(row)?.translateToString(true),
  );
  expect(lines).toEqual(['Why', '• one two three four', '  five', '', 'x is here']);
  expect(screen.buffer.active.getLine(0)?.getCell(0)?.isBold()).toBeTruthy();
  expect(screen.buffer.active.getLine(1)?.getCell(8)?.isBold()).toBeFalsy();
});
