import { access, constants, writeFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { Failure } from '../../../base/errors.ts';

/** Relative paths would depend on the folder in which the client happens to start its servers. */
export function absolutePath(value: unknown, param: string): string {
  if (typeof value === 'string' && isAbsolute(value)) return value;
  throw new Failure('invalid_value', `"${param}" must be the absolute path of a file.`, { param });
}

export async function readable(path: string): Promise<string> {
  try {
    await access(path, constants.R_OK);
    return path;
  } catch (cause) {
    const message = `${path} cannot be read: ${(cause as NodeJS.ErrnoException).code}.`;
    throw new Failure('invalid_value', message, { param: 'path', cause });
  }
}

/** Never replaces a file. */
export async function saveNew(path: string, bytes: Buffer): Promise<void> {
  try {
    await writeFile(path, bytes, { flag: 'wx' });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const reason = code === 'EEXIST' ? 'exists already: choose another name' : `cannot be written: ${code}`;
    throw new Failure('invalid_value', `${path} ${reason}.`, { param: 'save_as', cause });
  }
}

export const SAVE_AS = {
  type: 'string',
  description: 'The absolute path of a new file for the result. Without it, the result is returned here.',
};
