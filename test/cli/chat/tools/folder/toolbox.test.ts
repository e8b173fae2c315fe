import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { Answer } from '../../../../../cli/chat/tools/ask.ts';
import { folderToolbox } from '../../../../../cli/chat/tools/folder/toolbox.ts';
import { temporaryFolder } from '../../../../helpers/temporary.ts';

let outside: string;
let folder: string;
let asked: { question: string; diff: string | undefined }[];

beforeEach(() => {
  outside = temporaryFolder();
  folder = join(outside, 'project');
  asked = [];
  mkdirSync(join(folder, 'src'), { recursive: true });
  writeFileSync(join(folder, 'src', 'a.ts'), 'one\ntwo\nthree\n');
  writeFileSync(join(outside, 'secret'), 'secret');
});

function call(name: string, given: object, answer: Answer = 'yes', before = () => undefined as void) {
  const ask = async (question: string, diff?: string) => {
    asked.push({ question, diff });
    before();
    return answer;
  };
  const called = { id: 'c', type: 'function' as const, function: { name, arguments: JSON.stringify(given) } };
  return folderToolbox(folder).call(called, { ask, signal: new AbortController().signal });
}

const read = () => readFileSync(join(folder, 'src', 'a.ts'), 'utf8');

test('reading needs no approval', async () => {
  expect(await call('list_files', {})).toBe('src/a.ts');
  expect(await call('read_file', { path: 'src/a.ts' })).toBe('one\ntwo\nthree\n');
  expect(asked).toEqual([]);
});

test('a change is shown as a diff, and written only when it is accepted', async () => {
  const edit = { path: 'src/a.ts', old_text: 'two', new_text: '2' };
  expect(await call('edit_file', edit, 'no')).toBe('Error: the user did not accept the change to src/a.ts.');
  expect(read()).toBe('one\ntwo\nthree\n');
  expect(asked[0]).toEqual({
    question: 'Change src/a.ts',
    diff: '--- src/a.ts\n+++ src/a.ts\n@@ -1 +1 @@\n one\n-two\n+2\n three',
  });
  expect(await call('edit_file', edit)).toBe('src/a.ts is written.');
  expect(read()).toBe('one\n2\nthree\n');
});

test('a new file is created with its folders, and each file is asked about', async () => {
  expect(await call('write_file', { path: 'lib/b.ts', content: 'b\n' })).toBe('lib/b.ts is written.');
  expect(await call('write_file', { path: 'lib/c.ts', content: 'c\n' }, 'no')).toContain('did not accept');
  expect(asked.map(({ question }) => question)).toEqual(['Create lib/b.ts', 'Create lib/c.ts']);
  expect(asked[0]?.diff).toBe('--- /dev/null\n+++ lib/b.ts\n@@ -1 +1 @@\n+b');
  expect([existsSync(join(folder, 'lib/b.ts')), existsSync(join(folder, 'lib/c.ts'))]).toEqual([true, false]);
});

test.each(['../secret', '../../etc/passwd', '/etc/passwd', 'src/../../secret', 'a\0b'])(
  'nothing outside the folder is read or written: %j',
  async (path) => {
    expect(await call('read_file', { path })).toContain('is outside the folder');
    expect(await call('write_file', { path, content: 'x' })).toContain('is outside the folder');
    expect(asked).toEqual([]);
    expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('secret');
  },
);

test('no symbolic link is followed, to a file or to a folder', async () => {
  symlinkSync(join(outside, 'secret'), join(folder, 'link'));
  symlinkSync(outside, join(folder, 'up'));
  symlinkSync(join(outside, 'nothing'), join(folder, 'dangling'));
  for (const path of ['link', 'up/secret', 'dangling', 'up/new']) {
    expect(await call('read_file', { path })).toContain('symbolic link');
    expect(await call('write_file', { path, content: 'x' })).toContain('symbolic link');
  }
  expect(await call('list_files', { path: 'up' })).toContain('symbolic link');
  expect(await call('list_files', {})).toBe('src/a.ts');
  expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('secret');
  expect([existsSync(join(outside, 'nothing')), existsSync(join(outside, 'new'))]).toEqual([false, false]);
});

test('a file that changed while its diff was shown is not overwritten', async () => {
  const change = () => writeFileSync(join(folder, 'src', 'a.ts'), 'other\n');
  const edit = { path: 'src/a.ts', old_text: 'two', new_text: '2' };
  expect(await call('edit_file', edit, 'yes', change)).toContain('has changed in the meantime');
  expect(read()).toBe('other\n');
});

test('a changed file replaces the old one as a whole, with the same permissions', async () => {
  const file = join(folder, 'src', 'a.ts');
  chmodSync(file, 0o750);
  const reader = openSync(file, 'r');
  const edit = { path: 'src/a.ts', old_text: 'two', new_text: '2' };
  expect(await call('edit_file', edit)).toBe('src/a.ts is written.');
  // A concurrent reader still has all of the old text.
  expect(readFileSync(reader, 'utf8')).toBe('one\ntwo\nthree\n');
  closeSync(reader);
  expect(read()).toBe('one\n2\nthree\n');
  expect(statSync(file).mode & 0o777).toBe(0o750);
  expect(readdirSync(join(folder, 'src'))).toEqual(['a.ts']);
});

test('the model is told what is wrong with its call', async () => {
  expect(await call('edit_file', { path: 'src/a.ts', old_text: 'zero', new_text: '' })).toContain('0 times');
  expect(await call('read_file', { path: 'none' })).toBe('Error: There is no file none.');
  expect(await call('read_file', {})).toContain('path is missing');
  expect(await call('toString', {})).toBe('Error: there is no tool named toString.');
  expect(asked).toEqual([]);
});
