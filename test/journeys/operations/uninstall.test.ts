import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isAlive } from '../../../src/base/presence.ts';
import { install } from '../../helpers/daemon/installation.ts';
import { scriptedModel } from '../../helpers/models/models.ts';
import { startHub } from '../../helpers/servers/hub.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const REPO = 'someone/tiny-GGUF';
const BASHRC = 'alias ll="ls -l"\n';

/** Each file with its content. */
function treeOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(
    names.map((name) => {
      const path = join(folder, name);
      return [name, lstatSync(path).isFile() ? readFileSync(path, 'latin1') : 'folder'];
    }),
  );
}

/** A user with their own home, a model from the hub, one used in place, completion, secrets and a chat. */
async function livedIn() {
  const hub = await startHub();
  const { path } = await scriptedModel('Still here.');
  hub.add(REPO, { 'tiny-Q4_K_M.gguf': readFileSync(path) });
  const user = temporaryFolder();
  writeFileSync(join(user, '.bashrc'), BASHRC);
  const cache = join(user, 'hub');
  mkdirSync(cache);
  const before = treeOf(user);
  const installed = install({
    ...hub.environment(cache),
    HOME: user,
    XDG_CONFIG_HOME: join(user, '.config'),
    ASKD_HOME: join(user, 'askd'),
    SHELL: '/bin/bash',
  });
  const run = async (args: string[], input?: string) => {
    const { exitCode, stdout, stderr } = await installed.askd(args, input === undefined ? {} : { input });
    expect([args.join(' '), exitCode, stderr]).toEqual([args.join(' '), 0, expect.any(String)]);
    return stdout;
  };
  await run(['secrets', 'set', 'hub_token', '--in', 'file'], 'hf_0123456789');
  await run(['pull', `hf:${REPO}`, '--no-check']);
  await run(['import', path, '--id', 'mine', '--no-check']);
  await run(['keys', 'create', '--name', 'app']);
  await run(['completion', 'bash', '--install']);
  const { pid } = JSON.parse(readFileSync(join(user, 'askd', 'daemon.json'), 'utf8')) as { pid: number };
  return { user, before, run, pid, path, askd: installed.askd };
}

test('an uninstall lists everything, then removes exactly that', { timeout: 180_000 }, async () => {
  const { user, before, run, pid, path, askd } = await livedIn();
  const shown = await run(['uninstall', '--dry-run']);
  for (const part of [
    'stops     the daemon',
    'model ',
    'database: keys',
    'secrets',
    'logs',
    'completion for bash',
    '.bashrc',
  ]) {
    expect(shown).toContain(part);
  }
  expect(shown).not.toContain('mine');
  expect(isAlive(pid)).toBe(true);
  expect(await askd(['uninstall'])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('Add --yes to do it without a terminal') as string,
  });
  expect(existsSync(join(user, 'askd', 'askd.db'))).toBe(true);

  expect(await run(['uninstall', '--yes'])).toContain('npm uninstall -g askd');
  await expect.poll(() => isAlive(pid), { timeout: 30_000 }).toBe(false);
  expect(existsSync(path)).toBe(true);
  expect(treeOf(user)).toEqual(before);
  expect(await run(['uninstall', '--dry-run'])).toContain('0 items');
});

test(
  "an uninstall that keeps models leaves their files, and the user's files in the home",
  { timeout: 180_000 },
  async () => {
    const { user, run } = await livedIn();
    writeFileSync(join(user, 'askd', 'note.txt'), 'mine');
    const answer = JSON.parse(await run(['uninstall', '--yes', '--keep-models', '--json'])) as {
      kept: string[];
    };
    expect(answer.kept).toEqual([join(user, 'askd', 'note.txt')]);
    expect(readdirSync(join(user, 'askd'))).toEqual(['note.txt']);
    expect(Object.keys(treeOf(join(user, 'hub'))).some((name) => name.endsWith('tiny-Q4_K_M.gguf'))).toBe(
      true,
    );
  },
);
