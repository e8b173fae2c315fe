import { copyFileSync, existsSync, lstatSync, mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { execa, execaSync } from 'execa';
import { expect, test } from 'vitest';
import { install } from '../../helpers/daemon/installation.ts';
import { randomModel } from '../../helpers/models/models.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const MINUTES = 60_000;

/** Another machine: an empty home, a Node, and no network beyond itself. */
const elsewhere = (folder: string) => [
  ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--bind', folder, folder],
  ...['--unshare-net', '--unshare-pid', '--die-with-parent', '--chdir', folder, '--clearenv'],
  ...['--setenv', 'HOME', join(folder, 'home'), '--setenv', 'ASKD_PORT', '0'],
  ...['--setenv', 'PATH', `${join(folder, 'prefix', 'bin')}:${dirname(process.execPath)}:/usr/bin:/bin`],
];
const mayIsolate = execaSync('bwrap', [...elsewhere('/tmp'), 'true'], { reject: false }).exitCode === 0;

test.runIf(mayIsolate)(
  'a machine with Node and no network gets askd, a model and its settings from one archive',
  async () => {
    const { askd } = install();
    const folder = temporaryFolder();
    const { path } = await randomModel('llama', { contextTokens: 4096 });
    await askd(['config', 'set', 'model_context_tokens', '1024']);
    await askd(['import', path, '--id', 'talker', '--no-check']);
    const archive = join(folder, 'usb', 'askd.tar');
    const options = ['--install', '--no-gpu', '--split', '200M', '--json'];
    const written = await askd(['export', archive, 'talker', 'svc-chat-v1', ...options]);
    expect(written.exitCode, written.stderr).toBe(0);
    await askd(['down']);
    const { files, install: brought } = written.json<{ files: string[]; install: { bytes: number } }>();
    expect(files.length).toBeGreaterThan(1);
    expect(brought.bytes).toBeLessThan(500e6);
    expect(existsSync(`${archive}.install`)).toBe(false);

    const machine = join(folder, 'machine');
    mkdirSync(machine);
    for (const file of files) copyFileSync(file, join(machine, file.slice(dirname(file).length + 1)));
    const run = (script: string) =>
      execa('bwrap', [...elsewhere(machine), 'sh', '-ec', script], { reject: false, stdin: 'ignore' });
    const installed = await run(`
      cat askd.tar.[0-9]* | tar -xf - install
      sh install/install.sh askd.tar --prefix prefix
      askd down`);
    expect(installed.exitCode, installed.stderr).toBe(0);
    expect(installed.stdout).toContain('Imported talker.');
    const packages = join(machine, 'prefix', 'lib', 'askd', 'node_modules');
    expect(['vitest', 'typescript', 'eslint'].filter((name) => existsSync(join(packages, name)))).toEqual([]);
    expect(lstatSync(join(machine, 'prefix', 'bin', 'askd')).isSymbolicLink()).toBe(true);

    const used = await run(`
      askd up --quiet >/dev/null
      askd config get model_context_tokens
      askd ls --json | grep -o '"id": "talker"'
      askd chat "How do I add a webhook?"
      askd down`);
    expect(used.exitCode, used.stderr).toBe(0);
    expect(used.stdout.split('\n')).toEqual([
      '1024',
      '"id": "talker"',
      expect.stringContaining('askd webhooks add'),
      expect.stringMatching(/has stopped/),
    ]);
    // Cleaning up tens of thousands of files takes longer than a test may.
    await rm(machine, { recursive: true });
  },
  10 * MINUTES,
);
