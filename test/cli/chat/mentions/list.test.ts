import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listFiles } from '../../../../cli/chat/mentions/list.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';

const FILES = [
  'a.log',
  'keep.log',
  'Top.txt',
  'src/a.ts',
  'src/a.log',
  'src/tmp/b.ts',
  'docs/x.md',
  'docs/a/y.md',
];
const PATTERNS = [
  '*.log',
  '!keep.log',
  '/top.txt',
  'Top.txt',
  'tmp/',
  'docs/*.md',
  'src/**/b.ts',
  '**/a',
  '# no',
  'a*',
  '!/src',
];

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

test('lists what git would add, whatever is ignored at the top and further down', async () => {
  const patterns = fc.subarray(PATTERNS, { minLength: 1 }).map((all) => `${all.join('\n')}\n`);
  await fc.assert(
    fc.asyncProperty(patterns, patterns, async (top, below) => {
      const sources = Object.fromEntries(FILES.map((file) => [file, 'text']));
      const folder = folderWith({ ...sources, '.gitignore': top, 'src/.gitignore': below });
      const git = (...args: string[]) =>
        execa('git', args, { cwd: folder, env: { GIT_CONFIG_GLOBAL: '/dev/null' } });
      await git('init', '-q');
      const { stdout } = await git('ls-files', '--others', '--exclude-standard');
      expect((await listFiles(folder)).sort()).toEqual(stdout.split('\n').sort());
      // A folder within the repository has its rules.
      const inside = await git('ls-files', '--others', '--exclude-standard', 'src');
      const expected = inside.stdout
        .split('\n')
        .filter(Boolean)
        .map((path) => path.slice('src/'.length));
      const isLeftOut = expected.length === 0;
      if (!isLeftOut) expect((await listFiles(join(folder, 'src'))).sort()).toEqual(expected.sort());
    }),
    { numRuns: 12 },
  );
}, 600_000);

test('packages, the files of git and links are left out, and the nearest come first', async () => {
  const folder = folderWith({
    'deep/er/file.txt': '',
    'z.txt': '',
    'node_modules/a/index.js': '',
    '.git/config': '',
    '.env.example': '',
  });
  symlinkSync(join(folder, 'deep'), join(folder, 'link'));
  symlinkSync('/etc/hosts', join(folder, 'hosts'));
  expect(await listFiles(folder)).toEqual(['.env.example', 'z.txt', 'deep/er/file.txt']);
  expect(await listFiles(join(folder, 'nothing'))).toEqual([]);
});
