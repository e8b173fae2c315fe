import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Whole or not at all, and for this user alone unless it was there with other rights. */
export function replaceFile(path: string, text: string, mode = 0o600): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}.askd`;
  writeFileSync(temporary, text, { mode });
  renameSync(temporary, path);
}
