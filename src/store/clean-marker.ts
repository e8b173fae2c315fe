import { closeSync, fsyncSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** How the database was left: closed cleanly, or found damaged. Without a marker, it was not closed at all. */
type CleanMarker = { state: 'clean' | 'damaged'; size: number; mtimeMs: number };
export type LastEnd = 'clean' | 'damaged' | 'unclean';

/** Beside the database, not in it: the file itself cannot vouch for whether it can be trusted. */
export function markerPath(database: string): string {
  return `${database}-closed`;
}

/** Reads the marker and removes it, so that a killed run leaves none. A file that has changed since has none. */
export function takeMarker(database: string): LastEnd {
  const mark = readMarker(database);
  if (mark === undefined) return 'unclean';
  rmSync(markerPath(database), { force: true });
  syncFolder(dirname(database));
  if (mark.state === 'damaged') return 'damaged';
  const { size, mtimeMs } = statSync(database, { throwIfNoEntry: false }) ?? {};
  return mark.size === size && mark.mtimeMs === mtimeMs ? 'clean' : 'unclean';
}

export function leaveMarker(database: string, state: CleanMarker['state']): void {
  const { size, mtimeMs } = statSync(database);
  const mark: CleanMarker = { state, size, mtimeMs };
  writeFileSync(markerPath(database), JSON.stringify(mark), { mode: 0o600 });
}

function readMarker(database: string): CleanMarker | undefined {
  try {
    return JSON.parse(readFileSync(markerPath(database), 'utf8')) as CleanMarker;
  } catch {
    return undefined;
  }
}

/**
 * A power cut must not bring the marker back. Windows has no such call for folders, and orders their changes itself.
 */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
