import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMarkdownLines, markdownLines } from '../../../../cli/tui/chat/markdown-lines.ts';
import { textOf, widthOf } from '../../../../cli/tui/render/lines.ts';

test('has styles, and no line is wider than the screen', () => {
  const text = '**Fast**, and `averyveryverylongword`\n\n```js\nconst a = "long line of code";\n```';
  const lines = markdownLines(text, 20);
  expect(lines[0]?.[0]).toEqual({ text: 'Fast', bold: true });
  expect(lines.flat()).toContainEqual(expect.objectContaining({ color: 'magenta' }));
  for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(20);
  expect(lines.map(textOf).join('').replaceAll(/\s/g, '')).toContain('longlineofcode');
});

test('is the same in whatever pieces it arrives, and commands no terminal', () => {
  const part = fc.constantFrom(
    'word ',
    '**bold** ',
    '\n',
    '- item\n',
    '`code` ',
    '日本 ',
    '\u001b[31m',
    '| a | b |\n',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
      const arriving = createMarkdownLines(24);
      for (const each of parts) arriving.push(each);
      arriving.end();
      const whole = markdownLines(parts.join(''), 24);
      expect(arriving.lines()).toEqual(whole);
      expect(JSON.stringify(whole)).not.toContain('u001b');
    }),
  );
});
