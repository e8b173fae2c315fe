import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { blocksOf, PAGES, ROOT, textOf } from '../helpers/docs/pages.ts';

test.each(PAGES)('every link of %s leads to a file', (page) => {
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
