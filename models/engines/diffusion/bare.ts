import { accessSync, chmodSync, constants, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Failure } from '../../../src/errors.ts';

const PLATFORM = `${process.platform}-${process.arch}`;

/** Where the library and the runtime that can load it are. */
export type Place = { modules: string; bare: string };

/** In the folder of packages that the daemon names, or in the one that this program's own packages are in. */
export function findPlace(modules = nearestModules()): Place {
  const bare = join(modules ?? '', `bare-runtime-${PLATFORM}`, 'bin', executable('bare'));
  if (modules === undefined || !existsSync(join(modules, '@qvac', 'diffusion-cpp')) || !existsSync(bare)) {
    throw new Failure(
      'engine_not_installed',
      'Models that draw need the engine "diffusion", which is not installed. Get it with: askd engines install diffusion',
    );
  }
  makeExecutable(bare);
  return { modules, bare };
}

function nearestModules(folder = import.meta.dirname): string | undefined {
  const modules = join(folder, 'node_modules');
  if (existsSync(join(modules, '@qvac', 'diffusion-cpp'))) return modules;
  const parent = dirname(folder);
  return parent === folder ? undefined : nearestModules(parent);
}

function executable(name: string): string {
  return process.platform === 'win32' ? `${name}.exe` : name;
}

/** The package does not say that its program is one, so nobody has made it so. */
function makeExecutable(path: string): void {
  try {
    accessSync(path, constants.X_OK);
  } catch {
    chmodSync(path, 0o755);
  }
}
