import { execaSync } from 'execa';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SCRIPTS, SHELLS, type Shell } from '../../../cli/completion/scripts.ts';
import { runCli } from '../../helpers/terminal/cli.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const FILES: Readonly<Record<Shell, string>> = {
  bash: process.platform === 'darwin' ? '.bash_profile' : '.bashrc',
  zsh: '.zshrc',
  fish: '.config/fish/completions/askd.fish',
  powershell: '.config/powershell/Microsoft.PowerShell_profile.ps1',
};

/** A temporary home, unaffected by the configuration of this machine. */
function newHome(shell: Shell) {
  const HOME = temporaryFolder();
  const file = join(HOME, FILES[shell]);
  const env = { HOME, SHELL: `/usr/bin/${shell}` };
  return { file, askd: (...args: string[]) => runCli(['completion', ...args], { env }) };
}

describe.each(SHELLS.filter((shell) => shell !== 'powershell' || process.platform !== 'win32'))(
  'askd completion --install for %s',
  (shell) => {
    test('creates a missing file, and --uninstall removes it', async () => {
      const { askd, file } = newHome(shell);
      const installed = await askd(shell, '--install');
      expect(installed).toMatchObject({
        code: 0,
        stdout: `Completion for ${shell}: installed in ${file}.\n`,
      });
      expect(readFileSync(file, 'utf8')).toContain(SCRIPTS[shell]);
      const removed = await askd(shell, '--uninstall');
      expect(removed.stdout).toBe(`Completion for ${shell}: removed from ${file}.\n`);
      expect(existsSync(file)).toBe(false);
      expect((await askd(shell, '--uninstall')).stdout).toContain('not installed in');
    });

    test('leaves the rest of the file as it was, and changes nothing the second time', async () => {
      const { askd, file } = newHome(shell);
      mkdirSync(dirname(file), { recursive: true });
      const own = '# mine\nalias ll="ls -l"\n';
      writeFileSync(file, own);
      await askd(shell, '--install');
      const once = readFileSync(file, 'utf8');
      expect(once.startsWith(own)).toBe(true);
      const again = await askd(shell, '--install', '--json');
      expect(JSON.parse(again.stdout)).toEqual({
        ...{ schema: 'completion-change/1', shell, file },
        ...{ installed: true, changed: false },
      });
      expect(readFileSync(file, 'utf8')).toBe(once);
      writeFileSync(file, `${once.replace('__complete', '__older')}# later\n`);
      await askd(shell, '--install');
      expect(readFileSync(file, 'utf8')).toBe(`${once}# later\n`);
      await askd(shell, '--uninstall');
      expect(readFileSync(file, 'utf8')).toBe(`${own}# later\n`);
    });
  },
);

test('without the name of a shell uses SHELL, and keeps a link a link', async () => {
  const { askd, file } = newHome('bash');
  const kept = join(temporaryFolder(), 'bashrc');
  writeFileSync(kept, '');
  symlinkSync(kept, file);
  expect((await askd('--install')).code).toBe(0);
  expect(readFileSync(kept, 'utf8')).toContain(SCRIPTS.bash);
});

test('an unknown shell, and a file with half of the block, are refused with what to do', async () => {
  const unknown = await runCli(['completion', '--install'], { env: { SHELL: '/bin/tcsh' } });
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('fix: askd completion bash') });
  const { askd, file } = newHome('bash');
  writeFileSync(file, '# >>> askd completion >>>\n');
  expect(await askd('bash', '--install')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('without the matching end line'),
  });
  expect((await askd()).code).toBe(2);
});

test.runIf(process.platform === 'linux')(
  'bash has the completion after starting with that file',
  async () => {
    const { askd, file } = newHome('bash');
    await askd('bash', '--install');
    const { stdout } = execaSync('bash', ['--rcfile', file, '-ic', 'complete -p askd'], { reject: false });
    expect(stdout).toBe('complete -o default -F _askd askd');
  },
);
