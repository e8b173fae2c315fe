import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { patchAddon } from './addon-patch.ts';
import { runCommand } from './commands.ts';

const PARTS = ['addon', 'cmake', 'profiles', 'toolchains', 'patches', 'CMakeLists.txt', 'package.json'];

/** Where the engine's package keeps its native sources. */
export function packagedSources(): string {
  return join(dirname(fileURLToPath(import.meta.resolve('node-llama-cpp'))), '..', 'llama');
}

/** The header folders of the two packages that a native Node module is compiled with. */
export function headerFolders(): { headers: string; wrappers: string } {
  const require = createRequire(join(packagedSources(), 'package.json'));
  return {
    headers: join(dirname(require.resolve('node-api-headers')), 'include'),
    wrappers: dirname(require.resolve('node-addon-api')),
  };
}

/**
 * Prepares the sources as the package's authors compile them: their own code, llama.cpp from the git bundle beside
 * it, their patches, and one of ours. Nothing is downloaded.
 */
export async function prepareSources(folder: string, signal: AbortSignal): Promise<void> {
  if (!existsSync(folder)) await copySources(folder, signal);
  patchAddon(folder);
}

async function copySources(folder: string, signal: AbortSignal): Promise<void> {
  const packaged = packagedSources();
  const fresh = `${folder}.fresh`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  for (const part of PARTS) cpSync(join(packaged, part), join(fresh, part), { recursive: true });
  const { wrappers } = headerFolders();
  mkdirSync(join(fresh, 'node_modules'));
  symlinkSync(wrappers, join(fresh, 'node_modules', 'node-addon-api'), 'junction');
  const llama = join(fresh, 'llama.cpp');
  await runCommand('git', ['clone', '--quiet', join(packaged, 'gitRelease.bundle'), llama], { signal });
  for (const patch of readdirSync(join(fresh, 'patches')).filter((name) => name.endsWith('.diff'))) {
    const args = ['apply', '--ignore-whitespace', join(fresh, 'patches', patch)];
    await runCommand('git', args, { folder: llama, signal });
  }
  renameSync(fresh, folder);
}
