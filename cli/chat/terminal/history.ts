import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { getSystemErrorMap } from 'node:util';

export const HISTORY_LINES_MAX = 1000;
/** A longer message can be recalled in this conversation only. */
const ENTRY_LENGTH_MAX = 100_000;
/** An entry is a line of the file, so its own line breaks are written as another character. */
const LINE_SEPARATOR = '\u2028';

/** The file of earlier input. The chat goes on without it: what cannot be read or written is reported once. */
export function openHistory(path: string, report: (problem: string) => void) {
  let isReported = false;

  function attempt<Result>(work: () => Result): Result | undefined {
    try {
      return work();
    } catch (error) {
      if (!isReported) report(`The input history cannot be saved (${reasonOf(error)}): ${path}`);
      isReported = true;
      return undefined;
    }
  }

  return {
    /** Newest first, as readline expects it. */
    load: (): string[] => attempt(() => read(path)) ?? [],
    /** Adds input, oldest first, to what the file has now: another chat may have added to it. */
    add: (entries: readonly string[]): void =>
      attempt(() => write(path, entries.reduce(withEntry, read(path)))),
  };
}

export function withEntry(newestFirst: readonly string[], entry: string): string[] {
  return boundHistory([entry, ...newestFirst.filter((each) => each !== entry)]);
}

function read(path: string): string[] {
  try {
    const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean).reverse();
    return boundHistory(lines).map((line) => line.replaceAll(LINE_SEPARATOR, '\n'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return [];
  }
}

/** Replaced atomically: two chats must not mix their lines. */
function write(path: string, newestFirst: readonly string[]): void {
  const temporary = `${path}.${process.pid}`;
  const lines = newestFirst
    .filter(({ length }) => length <= ENTRY_LENGTH_MAX)
    .map((entry) => `${entry.replaceAll('\n', LINE_SEPARATOR)}\n`)
    .reverse();
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(temporary, lines.join(''), { mode: 0o600 });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function boundHistory(newestFirst: readonly string[]): string[] {
  return newestFirst.slice(0, HISTORY_LINES_MAX);
}

function reasonOf(error: unknown): string {
  const { errno, message } = error as NodeJS.ErrnoException;
  return getSystemErrorMap().get(errno ?? 0)?.[1] ?? message;
}
