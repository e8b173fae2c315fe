import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { daemonWith } from '../helpers/daemon/chat.ts';
import { scriptedModel } from '../helpers/models/models.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PAGES = [
  'README.md',
  ...readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => path.join('docs', file)),
];

const textOf = (page: string) => readFileSync(path.join(ROOT, page), 'utf8');
const blocks = (page: string, language: string) =>
  [...textOf(page).matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, code = '']) => code,
  );

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

test('the first requests of the README get an answer', async () => {
  const daemon = await daemonWith({ m: await scriptedModel('Hello to you.') });
  const fitted = (code: string) =>
    code
      .replaceAll('http://127.0.0.1:11535/v1', daemon.baseURL)
      .replaceAll('svc-chat-v1', 'm')
      .replaceAll('YOUR_KEY', daemon.key);
  const [curl = ''] = blocks('README.md', 'sh').filter((code) => code.startsWith('curl '));
  // Not every machine has curl.
  const [, url = ''] = /^curl (\S+)/.exec(fitted(curl)) ?? [];
  const headers = [...fitted(curl).matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
  const [, body = ''] = /-d '([^']+)'/.exec(fitted(curl)) ?? [];
  const reply = await fetch(url, {
    method: 'POST',
    headers: Object.fromEntries(headers) as Record<string, string>,
    body,
  });
  expect(await reply.json()).toMatchObject({ choices: [{ message: { content: 'Hello to you.' } }] });
  const [js = ''] = blocks('README.md', 'js');
  const program = ['--input-type=module', '-e', fitted(js)];
  const said = await execa(process.execPath, program, { cwd: ROOT, env: { ASKD_API_KEY: daemon.key } });
  expect(said.stdout).toBe('Hello to you.');
});
