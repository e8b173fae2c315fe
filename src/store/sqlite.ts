import { createRequire } from 'node:module';
import type Database from 'better-sqlite3';
import { Failure } from '../base/errors.ts';

/**
 * Version 13 of better-sqlite3 needs Node 22. Version 12 does not survive later releases of Node 24: their ObjectWrap
 * ends the process when a statement is collected.
 */
const PACKAGE = Number(process.versions.node.split('.')[0]) < 22 ? 'better-sqlite3-node20' : 'better-sqlite3';

/** Opens a file with the better-sqlite3 that suits this Node. */
export function openSqlite(path: string, options: Database.Options = {}): Database.Database {
  const require = createRequire(import.meta.url);
  try {
    return new (require(PACKAGE) as typeof Database)(path, options);
  } catch (cause) {
    if (!isNotBuilt(cause)) throw cause;
    throw new Failure(
      'install_incomplete',
      `${PACKAGE} was installed without its native part. On Node 20 it is compiled, which needs a C++ compiler and python3.`,
      {
        cause,
        details: { fix: 'npm install -g askd --allow-scripts=better-sqlite3, or in a clone: npm ci' },
      },
    );
  }
}

/** npm may skip the script that builds it, omit a package that could not be built, or build it for another Node. */
function isNotBuilt(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return (
    code === 'MODULE_NOT_FOUND' ||
    code === 'ERR_DLOPEN_FAILED' ||
    /Could not locate the bindings file/.test(message)
  );
}
