import { accessSync, chmodSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../../src/base/errors.ts';

const PLATFORM = `${process.platform}-${process.arch}`;

/** The location of the library and of the runtime that can load it. */
export type Place = { modules: string; bare: string };

/** In the folder of packages that the daemon names. */
export function findPlace(modules: string | undefined): Place {
  const bare = join(modules ?? '', `bare-runtime-${PLATFORM}`, 'bin', executable('bare'));
  if (modules === undefined || !existsSync(bare)) {
    throw new Failure(
      'engine_not_installed',
      'Image models need the engine "diffusion". Install it: askd engines install diffusion',
      { details: { fix: 'askd engines install diffusion' } },
    );
  }
  makeExecutable(bare);
  return { modules, bare };
}

function executable(name: string): string {
  return process.platform === 'win32' ? `${name}.exe` : name;
}

/** The package does not mark its program as executable. */
function makeExecutable(path: string): void {
  try {
    accessSync(path, constants.X_OK);
  } catch {
    chmodSync(path, 0o755);
  }
}
