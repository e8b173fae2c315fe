import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Replaced atomically, and private to this user unless the file already had another mode. */
export function replaceFile(path: string, text: string, mode = 0o600): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}.askd`;
  writeFileSync(temporary, text, { mode });
  renameSync(temporary, path);
}
