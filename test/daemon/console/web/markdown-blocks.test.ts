import { Lexer } from 'marked';
import { expect, test } from 'vitest';
import { createBlocks } from '../../../../daemon/console/web/parts/markdown-blocks.ts';
import { HOSTILE_TEXTS } from '../../../helpers/hostile-texts.ts';

const ANSWER = `# Title

A paragraph
that becomes
===

- one

- two
  - three

1. first
2) other list

| a | b |
|---|---|
| 1 | 2 |

> quoted
lazily

\`\`\`ts
const a = 1;

# not a heading
\`\`\`

    indented code

<b>html</b> and *emphasis*

last`;

/** The kinds and texts of the blocks. */
const shapes = (tokens: readonly { type: string; raw: string }[]) =>
  tokens.map(({ type, raw }) => [type, raw]);

test('a text that arrives letter by letter ends as the same blocks as the whole text', () => {
  for (const text of [ANSWER, ANSWER.replaceAll('\n', '\r\n'), ...HOSTILE_TEXTS]) {
    const grow = createBlocks();
    for (let length = 1; length < text.length; length++) grow(text.slice(0, length), true);
    expect(shapes(grow(text, false).tokens)).toEqual(shapes(new Lexer({ gfm: true }).lex(text)));
  }
});

test('finished blocks are lexed once, however long the answer grows', () => {
  const grow = createBlocks();
  const first = grow('one\n\ntwo\n\nth', true).tokens;
  const then = grow('one\n\ntwo\n\nthree\n\nfour', true).tokens;
  expect(then[0]).toBe(first[0]);
  expect(then[2]).toBe(first[2]);
  expect(then.at(-1)?.raw).toBe('four');
});

test('a link defined below its use is one once the text is complete', () => {
  const grow = createBlocks();
  const text = 'See [here][a].\n\nMore.\n\n[a]: https://example.org';
  for (let length = 1; length < text.length; length++) grow(text.slice(0, length), true);
  const { tokens, definitions } = grow(text, false);
  expect(definitions).toBe(1);
  expect(JSON.stringify(tokens[0])).toContain('"type":"link"');
});

test('a different text starts over', () => {
  const grow = createBlocks();
  grow('one\n\ntwo', true);
  expect(shapes(grow('three', false).tokens)).toEqual([['paragraph', 'three']]);
});
