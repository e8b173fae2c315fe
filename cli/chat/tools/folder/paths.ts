import { lstatSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { Failure } from '../../../../src/base/errors.ts';

/** The folder that a person chose, as an absolute path. */
export function chosenFolder(typed: string): string {
  const folder = resolve(typed.replace(/^~(?=\/|$)/, homedir()));
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return realpathSync(folder);
  throw new Failure('invalid_value', `${typed} is not a folder.`, { details: { fix: `mkdir -p ${typed}` } });
}

/** The file at a path that a model gave: within the folder, and not behind a symbolic link. */
export function pathWithin(folder: string, path: string): string {
  const file = resolve(folder, path);
  const inside = relative(folder, file);
  if (path.includes('\0') || inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside))
    throw new Failure('invalid_value', `${path} is outside the folder.`);
  let at = folder;
  for (const name of inside.split(sep).filter(Boolean)) {
    at = join(at, name);
    if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new Failure('invalid_value', `${path} goes through a symbolic link, which is not followed.`);
  }
  return file;
}
