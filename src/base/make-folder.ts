import { mkdirSync, mkdtempSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Failure } from './errors.ts';

const NOT_OURS: unknown[] = ['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR'];

/**
 * Like mkdir -p. Node's own reports "no such file" when the disk is full, and hangs if the parent exists but accepts
 * no folders, as in /proc.
 */
export function makeFolder(path: string, mode = 0o777): void {
  try {
    mkdirSync(path, mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    makeFolder(dirname(path), mode);
    mkdirSync(path, mode);
  }
}

/** Creates a folder of the home, private to this user. Failures name the folder and the fix. */
export function makeHomeFolder(path: string): void {
  try {
    makeFolder(path, 0o700);
    rmdirSync(mkdtempSync(join(path, '.askd-')));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (!NOT_OURS.includes(code)) throw cause;
    throw new Failure('home_not_writable', `askd cannot write to its folder ${path} (${String(code)}).`, {
      cause,
      details: {
        fix: `chown it to your user, run chmod u+rwx ${path}, or use another home: ASKD_HOME=FOLDER`,
      },
    });
  }
}
