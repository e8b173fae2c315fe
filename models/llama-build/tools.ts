import { Failure } from '../../src/base/errors.ts';
import { versionOf } from './commands.ts';

type Tool = { name: string; commands: readonly string[]; packages: Record<Manager, string> };
type Manager = 'apt-get' | 'dnf' | 'pacman' | 'apk' | 'zypper' | 'brew';

const TOOLS: readonly Tool[] = [
  {
    name: 'cmake',
    commands: ['cmake'],
    packages: {
      'apt-get': 'cmake',
      dnf: 'cmake',
      pacman: 'cmake',
      apk: 'cmake',
      zypper: 'cmake',
      brew: 'cmake',
    },
  },
  {
    name: 'a C++ compiler',
    commands: ['c++', 'g++', 'clang++'],
    packages: {
      'apt-get': 'g++',
      dnf: 'gcc-c++',
      pacman: 'gcc',
      apk: 'g++',
      zypper: 'gcc-c++',
      brew: 'llvm',
    },
  },
  {
    name: 'make',
    commands: ['make'],
    packages: { 'apt-get': 'make', dnf: 'make', pacman: 'make', apk: 'make', zypper: 'make', brew: 'make' },
  },
  {
    name: 'git',
    commands: ['git'],
    packages: { 'apt-get': 'git', dnf: 'git', pacman: 'git', apk: 'git', zypper: 'git', brew: 'git' },
  },
];

const INSTALL: Record<Manager, string> = {
  'apt-get': 'sudo apt-get install',
  dnf: 'sudo dnf install',
  pacman: 'sudo pacman -S',
  apk: 'sudo apk add',
  zypper: 'sudo zypper install',
  brew: 'brew install',
};

/** Lists everything that is missing at once, with the command that installs it. */
export async function requireTools(): Promise<void> {
  const missing: Tool[] = [];
  for (const tool of TOOLS) {
    const found = await Promise.all(tool.commands.map(versionOf));
    if (found.every((version) => version === undefined)) missing.push(tool);
  }
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name).join(', ');
  const fix = await installCommand(missing);
  throw new Failure('engine_not_installed', `Compiling the engine requires ${names}. Install with: ${fix}`, {
    details: { missing: names, fix },
  });
}

async function installCommand(missing: readonly Tool[]): Promise<string> {
  for (const manager of Object.keys(INSTALL) as Manager[]) {
    if ((await versionOf(manager)) === undefined) continue;
    return `${INSTALL[manager]} ${missing.map(({ packages }) => packages[manager]).join(' ')}`;
  }
  if (process.platform === 'darwin') return 'xcode-select --install, and cmake from https://cmake.org';
  return `the package manager of this system: ${missing.map(({ packages }) => packages['apt-get']).join(' ')}`;
}
