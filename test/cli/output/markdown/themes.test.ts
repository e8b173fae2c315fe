import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TOKEN } from '../../../../cli/output/markdown/languages.ts';
import { createMarkdown } from '../../../../cli/output/markdown/markdown.ts';
import { CODE, combine, DIM } from '../../../../cli/output/markdown/style.ts';
import { themed, THEMES, type Theme } from '../../../../cli/output/markdown/themes.ts';
import { sanitise } from '../../../../cli/output/sanitise.ts';

const COLOURS = [...Object.values(TOKEN), CODE, '31'];
const COLOUR = /\u001b\[(?:\d+;)*(?:3[0-8]|9[0-7])[;m]/; // eslint-disable-line no-control-regex -- it is what is looked for

function render(text: string, theme: Theme): string {
  let shown = '';
  const markdown = createMarkdown(
    (part) => void (shown += part),
    () => 60,
    theme,
  );
  markdown.push(text);
  markdown.end();
  return shown;
}

test('each theme has its own colours for every kind of token, and keeps the other styles', () => {
  for (const colour of COLOURS) {
    const styles = THEMES.map((theme) => themed(combine(DIM, colour), theme));
    expect(styles[0]).toBe(combine(DIM, colour));
    for (const style of styles) expect(style.split(';'), style).toContain(DIM);
    const [, dark, light] = styles;
    expect(new Set([styles[0], dark, light])).toHaveLength(3);
  }
});

test('mono has no colour, and the text is the same in every theme', () => {
  const fragment = fc.constantFrom(
    '```ts\n',
    '\n```\n',
    'const x = "a"; // b',
    '`code`',
    '**bold**',
    '\n',
    '1.5',
    '@@ -1 +1',
  );
  fc.assert(
    fc.property(fc.array(fragment, { maxLength: 12 }), (parts) => {
      const text = parts.join('');
      expect(render(text, 'mono')).not.toMatch(COLOUR);
      for (const theme of THEMES)
        expect(sanitise(render(text, theme))).toBe(sanitise(render(text, 'terminal')));
    }),
  );
});
