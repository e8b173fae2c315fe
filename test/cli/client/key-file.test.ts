import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { announce, runCli } from '../../helpers/terminal/cli.ts';
import { startDaemon } from '../../helpers/daemon/daemon.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

function keyFile(text: string, mode = 0o600): string {
  const file = join(temporaryFolder(), 'key');
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

test('the key in the file is sent, and takes precedence over the environment', async () => {
  const daemon = await startDaemon();
  announce(daemon);
  const { home, key } = daemon;
  const show = (...args: string[]) =>
    runCli(['embed', 'hello', '--json', ...args], { home, env: { ASKD_API_KEY: 'ask_not-a-key' } });
  expect((await show()).code).toBe(4);
  expect((await show('--key-file', keyFile(`${key}\n`))).code).toBe(0);
  const wrong = await show('--key-file', keyFile('ask_another-that-is-none'));
  expect(wrong).toMatchObject({ code: 4, stdout: '' });
});

test.skipIf(process.platform === 'win32')(
  'a file that others can read is refused, with the fix',
  async () => {
    const file = keyFile('ask_secret-of-mine', 0o640);
    const { code, stderr } = await runCli(['models', '--key-file', file]);
    expect(code).toBe(3);
    expect(stderr).toBe(`error: Other users can read the API key in ${file}.\nfix: chmod 600 ${file}\n`);
  },
);

test.each([
  ['nothing', '', 3],
  ['two words', 'a key', 3],
])('a file with %s is refused, and its text is not shown', async (_, text, code) => {
  const run = await runCli(['models', '--key-file', keyFile(text)]);
  expect(run).toMatchObject({
    code,
    stdout: '',
    stderr: expect.stringContaining('one API key and nothing else'),
  });
});

test('a missing file is named', async () => {
  expect(await runCli(['models', '--key-file', '/nothing/here'])).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('/nothing/here'),
  });
});
