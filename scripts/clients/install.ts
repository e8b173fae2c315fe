import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pin } from './pins.ts';
import { runProgram } from './run.ts';

/** A folder outside the checkout with these packages, installed once for each set of versions. */
export async function installClient({ client, packages }: Pin): Promise<string> {
  const names = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  const id = createHash('sha256').update(names.join(' ')).digest('hex').slice(0, 12);
  const folder = join(tmpdir(), 'askd-clients', `${client}-${id}`);
  const stamp = join(folder, 'installed');
  if (existsSync(stamp)) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const install = ['install', '--no-audit', '--no-fund', '--save-exact', '--legacy-peer-deps', ...names];
  const { code, stderr } = await runProgram('npm', install, { cwd: folder, env: {}, timeoutMs: 600_000 });
  if (code !== 0) throw new Error(`npm could not install ${names.join(' ')}: ${stderr.slice(-500)}`);
  writeFileSync(stamp, '');
  return folder;
}
