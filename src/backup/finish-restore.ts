import { existsSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../base/errors.ts';
import { DATABASE } from './manifest.ts';

export function restoredFolder(home: string): string {
  return join(home, 'restored');
}

/** Moves a complete restored home into place; if it is killed, the next call continues. The database goes first. */
export function finishRestore(home: string): void {
  const folder = restoredFolder(home);
  if (!existsSync(folder)) return;
  const names = readdirSync(folder).sort((a, b) => Number(b === DATABASE) - Number(a === DATABASE));
  if (names.includes(DATABASE) && existsSync(join(home, DATABASE))) {
    rmSync(folder, { recursive: true, force: true });
    throw new Failure(
      'already_exists',
      `A daemon was started in ${home} meanwhile. Its data is kept; nothing was restored.`,
      {
        details: { fix: 'askd down, then restore into an empty home' },
      },
    );
  }
  for (const name of names) renameSync(join(folder, name), join(home, name));
  rmdirSync(folder);
}
