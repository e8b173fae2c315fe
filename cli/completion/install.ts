import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Failure } from '../../src/base/errors.ts';
import { SCRIPTS, SHELLS, type Shell } from './scripts.ts';

type Env = Readonly<Record<string, string | undefined>>;
export type Change = { file: string; hasChanged: boolean };

const BEGIN = '# >>> askd completion >>>';
const END = '# <<< askd completion <<<';

/** Without these, a zsh without configuration has no compdef. */
const ZSH_BEFORE = '(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }\n';

/** The user's shell, as far as the environment tells. */
export function currentShell(env: Env): Shell {
  const name = basename(env['SHELL'] ?? (process.platform === 'win32' ? 'powershell' : ''));
  const shell = SHELLS.find((each) => each === (name === 'pwsh' ? 'powershell' : name));
  if (shell !== undefined) return shell;
  throw new Failure('invalid_value', `SHELL does not name a supported shell: ${name || 'it is not set'}.`, {
    details: { fix: `askd completion ${SHELLS.join('|')} --install` },
  });
}

/** The whole script is written there, so that starting a shell does not run askd. */
export function installCompletion(shell: Shell, env: Env): Change {
  const file = completionFile(shell, env);
  const before = read(file);
  const { outside, at } = split(before, file);
  const script = shell === 'zsh' ? ZSH_BEFORE + SCRIPTS.zsh : SCRIPTS[shell];
  const block = `${BEGIN}\n${script}${END}\n`;
  const head = outside.slice(0, at);
  const gap = head === '' || head.endsWith('\n') ? '' : '\n';
  return write(file, before, head + gap + block + outside.slice(at));
}

/** The rest of the file is kept; an empty file is deleted. */
export function uninstallCompletion(shell: Shell, env: Env): Change {
  const file = completionFile(shell, env);
  const before = read(file);
  const { outside } = split(before, file);
  if (outside !== '' || before === '') return write(file, before, outside);
  rmSync(file);
  return { file, hasChanged: true };
}

export function hasCompletion(shell: Shell, env: Env): boolean {
  return read(completionFile(shell, env)).includes(`${BEGIN}\n`);
}

export function completionFile(shell: Shell, env: Env): string {
  const home = env['HOME'] ?? homedir();
  const config = env['XDG_CONFIG_HOME'] ?? join(home, '.config');
  const profile = 'Microsoft.PowerShell_profile.ps1';
  if (shell === 'fish') return join(config, 'fish', 'completions', 'askd.fish');
  if (shell === 'zsh') return join(env['ZDOTDIR'] ?? home, '.zshrc');
  if (shell === 'bash') return join(home, process.platform === 'darwin' ? '.bash_profile' : '.bashrc');
  return process.platform === 'win32'
    ? join(env['USERPROFILE'] ?? home, 'Documents', 'PowerShell', profile)
    : join(config, 'powershell', profile);
}

function read(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** The text without our block, and the position of the block. */
function split(text: string, file: string): { outside: string; at: number } {
  const begin = text.indexOf(`${BEGIN}\n`);
  if (begin < 0) return { outside: text, at: text.length };
  const end = text.indexOf(`${END}\n`, begin);
  if (end < 0)
    throw new Failure('config_invalid', `${file} has "${BEGIN}" without the matching end line.`, {
      details: { fix: `remove that line from ${file}, and what askd wrote below it` },
    });
  return { outside: text.slice(0, begin) + text.slice(end + END.length + 1), at: begin };
}

/** In place, because dotfiles may be symbolic links. */
function write(file: string, before: string, after: string): Change {
  if (after === before) return { file, hasChanged: false };
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, after);
  return { file, hasChanged: true };
}
