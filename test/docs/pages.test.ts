import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { blocksOf, OTHER_PAGES, PAGES, ROOT, textOf } from '../helpers/docs/pages.ts';

test.each([...PAGES, ...OTHER_PAGES])('every link of %s leads to a file', (page) => {
  const links = [...textOf(page).matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target);
  const local = links.filter((target) => !/^https?:/.test(target));
  const missing = local.filter((target) => !existsSync(path.join(ROOT, path.dirname(page), target)));
  expect(missing).toEqual([]);
});

test('every page of the documentation is linked from the README or from a page that is', () => {
  const linked = PAGES.flatMap((page) =>
    [...textOf(page).matchAll(/\]\(([^)#]+\.md)/g)].map(([, target = '']) =>
      path.normalize(path.join(path.dirname(page), target)),
    ),
  );
  expect(PAGES.filter((page) => page !== 'README.md' && !linked.includes(page))).toEqual([]);
});

test('every block has a language that is run, parsed or shown, and every JSON parses', () => {
  const blocks = PAGES.flatMap(blocksOf);
  expect([...new Set(blocks.map(({ language }) => language))].sort()).toEqual([
    'js',
    'json',
    'python',
    'sh',
    'text',
  ]);
  for (const { language, code } of blocks) if (language === 'json') JSON.parse(code);
});

test('CONTRIBUTING.md quotes the sources as they are', () => {
  const quotes = [...textOf('CONTRIBUTING.md').matchAll(/^`(\S+)`\n\n```ts\n([^]*?)^```$/gm)];
  expect(quotes).toHaveLength(5);
  for (const [, file = '', quote = ''] of quotes) expect(dedent(textOf(file))).toContain(dedent(quote));
});

test('CHANGELOG.md begins with the version of the package', () => {
  const { version } = JSON.parse(textOf('package.json')) as { version: string };
  const [latest] = /^## .*$/m.exec(textOf('CHANGELOG.md')) ?? [];
  expect(latest).toMatch(/^## \[\d+\.\d+\.\d+\] - (Unreleased|\d{4}-\d{2}-\d{2})$/);
  expect(latest).toContain(`[${version}]`);
});

function dedent(text: string): string {
  return text.replaceAll(/^ +/gm, '');
}
