import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Environment } from '../../src/config/config.ts';

/** Whether the shell would find this program. */
export function isOnPath(program: string, { env }: Pick<Environment, 'env'>): boolean {
  const extensions = process.platform === 'win32' ? (env['PATHEXT'] ?? '.EXE;.CMD').split(';') : [''];
  const folders = (env['PATH'] ?? '').split(delimiter).filter(Boolean);
  return folders.some((folder) =>
    extensions.some((extension) => isExecutable(join(folder, program + extension))),
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
