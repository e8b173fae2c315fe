import { accessSync, constants, statSync } from 'node:fs';
import type { Finding } from '../../src/api/management/library.ts';
import type { Check } from './check.ts';

const OTHERS = 0o077;

/** The home contains keys and conversations, so only its owner may read it. */
export const checkHome: Check = ({ paths }) => {
  const found = statSync(paths.home, { throwIfNoEntry: false });
  if (found === undefined) {
    return [
      { check: 'home', level: 'ok', message: `${paths.home} will be created when the daemon first starts` },
    ];
  }
  const secret = [paths.rootToken, paths.database, paths.secrets, paths.config];
  return [checkWritable(paths.home), ...secret.flatMap(checkPrivate)];
};

function checkWritable(home: string): Finding {
  try {
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK);
    return { check: 'home', level: 'ok', message: home };
  } catch {
    const fix = `sudo chown -R "$USER" "${home}"`;
    return { check: 'home', level: 'problem', message: `${home} cannot be written`, fix };
  }
}

function checkPrivate(path: string): Finding[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || process.platform === 'win32' || isBehindHome(path, found.mode)) return [];
  const message = `other users of this machine can read ${path}`;
  return [{ check: 'permissions', level: 'problem', message, fix: `chmod 600 "${path}"` }];
}

/** Files in a private folder are unreachable, whatever their own mode. */
function isBehindHome(path: string, mode: number): boolean {
  const folder = statSync(path.slice(0, path.lastIndexOf('/')));
  return (mode & OTHERS) === 0 || (folder.mode & OTHERS) === 0;
}
