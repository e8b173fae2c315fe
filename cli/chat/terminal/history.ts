import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export const HISTORY_LINES_MAX = 1000;
/** A longer message is recalled in this conversation only. */
const ENTRY_LENGTH_MAX = 100_000;
/** An entry is a line of the file, so its own line breaks are written as another character. */
const LINE_SEPARATOR = '\u2028';

/** Earlier input, newest first, as readline expects it. */
export function loadHistory(path: string): string[] {
  try {
    const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean).reverse();
    return boundHistory(lines).map((line) => line.replaceAll(LINE_SEPARATOR, '\n'));
  } catch {
    return [];
  }
}

/** Replaced atomically: two chats must not mix their lines. Where nothing can be written, the chat goes on without. */
export function saveHistory(path: string, newestFirst: readonly string[]): void {
  const temporary = `${path}.${process.pid}`;
  const lines = boundHistory(newestFirst)
    .filter(({ length }) => length <= ENTRY_LENGTH_MAX)
    .map((entry) => `${entry.replaceAll('\n', LINE_SEPARATOR)}\n`)
    .reverse();
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, lines.join(''), { mode: 0o600 });
    renameSync(temporary, path);
  } catch {
    return;
  }
}

/** Adds to what the file has now: another chat may have added to it. */
export function addToHistory(path: string, entry: string): void {
  saveHistory(path, withEntry(loadHistory(path), entry));
}

export function withEntry(newestFirst: readonly string[], entry: string): string[] {
  return boundHistory([entry, ...newestFirst.filter((each) => each !== entry)]);
}

function boundHistory(newestFirst: readonly string[]): string[] {
  return newestFirst.slice(0, HISTORY_LINES_MAX);
}
