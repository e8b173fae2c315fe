import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { packageRoot } from '../../src/base/paths.ts';

const VERSIONS: Record<string, string> = { deno: '2.9.6', bun: '1.4.5', workerd: '1.20261117.1' };

/** The program of another JavaScript runtime, from its npm package; it is kept for the next run. */
export async function fetchRuntime(name: string): Promise<string> {
  const version = VERSIONS[name] ?? '';
  const folder = join(packageRoot, 'node_modules', '.cache', 'askd', `${name}-${version}`);
  const program = join(folder, 'node_modules', '.bin', name);
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  // The scripts of these packages install the program for this machine; npm 11 runs those that are allowed.
  const wanted = { private: true, dependencies: { [name]: version }, allowScripts: { [name]: true } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(wanted));
  await execa('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder });
  return program;
}
