import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { placeOf } from '../../../../cli/agent/answer/places.ts';
import { renderAnswer } from '../../../../cli/agent/answer/render-answer.ts';
import { linked } from '../../../../cli/output/links.ts';
import { sanitise } from '../../../../cli/output/sanitise.ts';
import { readEnvironment } from '../../../../src/config/environment.ts';

const urlOf = (name: string) => pathToFileURL(join(process.cwd(), name)).toString();
const GUIDE = urlOf('docs/my guide.md');
const MANUAL = urlOf('manual.pdf');

const RUN = {
  answer: 'It opens in May [1], says **the manual** [2]. See [3].\n\n```js\nlist[1]\n```',
  sources: [
    { n: 1, kind: 'document' as const, url: GUIDE, title: 'The guide' },
    { n: 2, kind: 'document' as const, url: MANUAL, title: 'The manual' },
  ],
  citations: [
    { n: 1, url: GUIDE, title: 'The guide', quote: 'opens in May', line: 42 },
    { n: 1, url: GUIDE, title: 'The guide', quote: 'in May each year', line: 42 },
    { n: 1, url: GUIDE, title: 'The guide', quote: 'closed until May', line: 7 },
    { n: 2, url: MANUAL, title: 'The manual', quote: 'see page 9', page: 3 },
  ],
};
const PIPE = { styled: false, links: false, width: Infinity };
const link = (text: string, url: string) => `\u001b]8;;${url}\u001b\\${text}\u001b]8;;\u001b\\`;

describe('an answer', () => {
  test('ends with its sources: each with its line or page and the quoted words', () => {
    expect(renderAnswer(RUN, PIPE)).toBe(
      [
        RUN.answer,
        '',
        'Sources:',
        '[1] The guide',
        '    docs/my guide.md:42',
        '    "opens in May"',
        '    "in May each year"',
        '    docs/my guide.md:7',
        '    "closed until May"',
        '[2] The manual',
        '    manual.pdf (page 3)',
        '    "see page 9"',
      ].join('\n'),
    );
  });

  test('links each citation to the file at its line, and leaves code and unknown numbers alone', () => {
    const shown = renderAnswer(RUN, { styled: true, links: true, width: 80 });
    expect(shown).toContain(`in May ${link('[1]', `${GUIDE}#42`)},`);
    expect(shown).toContain(`${link('[2]', `${MANUAL}#page=3`)}. See [3].`);
    expect(shown).toContain(`    ${link('docs/my guide.md:42', `${GUIDE}#42`)}`);
    expect(shown).toContain(`    ${link('docs/my guide.md:7', `${GUIDE}#7`)}`);
    expect(shown).not.toContain(`list${link('[1]', `${GUIDE}#42`)}`);
  });

  test('is broken into the same lines with links as without', () => {
    const words = { ...RUN, answer: 'The bridge [1] crosses the river [2] again [1]. '.repeat(12).trim() };
    const look = { styled: true, width: 44 };
    const [withLinks, without] = [true, false].map((links) =>
      sanitise(renderAnswer(words, { ...look, links })),
    );
    expect(withLinks).toBe(without);
  });

  test('never lets an address command the terminal, or open anything but pages and files', () => {
    expect(linked('x', 'https://a.example/\u001b]0;evil\u0007')).toBe(link('x', 'https://a.example/'));
    expect(linked('x', 'https://a.example/ü ')).toBe(link('x', 'https://a.example/%C3%BC'));
    for (const url of ['javascript:alert(1)', 'askd:program/1', 'ssh://host', ''])
      expect(linked('x', url)).toBe('x');
  });
});

describe('a place', () => {
  test('is relative to the current folder if it is below it, and absolute otherwise', () => {
    const url = pathToFileURL('/notes/a b.md').toString();
    expect(placeOf({ url, line: 3 }, '/notes')).toBe('a b.md:3');
    expect(placeOf({ url, line: 3 }, '/other')).toBe('/notes/a b.md:3');
    expect(placeOf({ url }, '/')).toBe('notes/a b.md');
    expect(placeOf({ url: 'https://example.com/x' })).toBe('https://example.com/x');
  });
});

test.each([
  [{}, false],
  [{ TERM: 'xterm-kitty' }, true],
  [{ TERM: 'xterm-256color', VTE_VERSION: '7600' }, true],
  [{ TERM: 'xterm-256color', VTE_VERSION: '4600' }, false],
  [{ TERM: 'xterm-256color', TERM_PROGRAM: 'Apple_Terminal' }, false],
  [{ TERM: 'xterm-256color', TERM_PROGRAM: 'vscode' }, true],
  [{ TERM: 'screen-256color', VTE_VERSION: '7600' }, false],
  [{ TERM: 'screen-256color', FORCE_HYPERLINK: '1' }, true],
  [{ TERM: 'xterm-kitty', FORCE_HYPERLINK: '0' }, false],
])('a terminal with %j shows hyperlinks: %s', (env, expected) => {
  expect(readEnvironment(env).showsLinks).toBe(expected);
});
