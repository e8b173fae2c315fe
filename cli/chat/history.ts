import { readFileSync, renameSync, writeFileSync } from 'node:fs';

export const HISTORY_LINES_MAX = 1000;

/** Earlier input, newest first, as readline expects it. */
export function loadHistory(path: string): string[] {
  try {
    return boundHistory(readFileSync(path, 'utf8').split('\n').filter(Boolean).reverse());
  } catch {
    return [];
  }
}

/** Replaced atomically: two chats must not mix their lines. */
export function saveHistory(path: string, newestFirst: readonly string[]): void {
  const temporary = `${path}.${process.pid}`;
  const lines = boundHistory(newestFirst).reverse();
  writeFileSync(temporary, lines.map((line) => `${line}\n`).join(''), { mode: 0o600 });
  renameSync(temporary, path);
}

function boundHistory(newestFirst: readonly string[]): string[] {
  return newestFirst.slice(0, HISTORY_LINES_MAX);
}
