import { existsSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../src/base/errors.ts';
import type { Client, ConfigFile } from './client.ts';
import { replaceFile } from './private-file.ts';

/** A file before askd changed it, and after. */
type Backup = { path: string; before: string | null; after: string };

export type Change = { path: string; before: string | undefined; after: string };

/** The change to make; undefined if the file is already right. */
export async function planChange({ path, change }: ConfigFile): Promise<Change | undefined> {
  const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  const after = await change(before);
  return after === before ? undefined : { path, before, after };
}

/** Stores the original content before the first change, for `--restore`. */
export function applyChange({ path, before, after }: Change, client: Client, folder: string): void {
  const earlier = readBackup(client, folder);
  const wasOurs = earlier !== undefined && earlier.path === path && earlier.after === before;
  const first = wasOurs ? earlier.before : (before ?? null);
  replaceFile(backupOf(client, folder), JSON.stringify({ path, before: first, after } satisfies Backup));
  // Symbolic links are followed, since people keep their settings in repositories.
  const target = before === undefined ? path : realpathSync(path);
  replaceFile(target, after, before === undefined ? 0o600 : statSync(target).mode & 0o777);
}

/** Restores the original content exactly. Returns the path, or undefined if askd changed nothing. */
export function restore(client: Client, folder: string, force: boolean): string | undefined {
  const backup = readBackup(client, folder);
  if (backup === undefined) return undefined;
  const { path, before, after } = backup;
  const now = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  if (now !== undefined && now !== after && !force) throw changedSince(path, client);
  if (before === null) rmSync(path, { force: true });
  else if (now === undefined) replaceFile(path, before);
  else replaceFile(realpathSync(path), before, statSync(path).mode & 0o777);
  rmSync(backupOf(client, folder), { force: true });
  return path;
}

function changedSince(path: string, { name }: Client): Failure {
  return new Failure(
    'already_exists',
    `${path} was changed after askd wrote it; restoring it would lose those changes.`,
    {
      details: {
        fix: `remove the entry "askd" by hand, or discard the changes: askd launch ${name} --restore --force`,
      },
    },
  );
}

function backupOf({ name }: Client, folder: string): string {
  return join(folder, `${name}.backup.json`);
}

function readBackup(client: Client, folder: string): Backup | undefined {
  const file = backupOf(client, folder);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Backup) : undefined;
}

/** The removed and added lines, without context. */
export function diffOf({ before = '', after }: Change): string {
  const old = before.split('\n');
  const fresh = after.split('\n');
  let head = 0;
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head++;
  let tail = 0;
  while (tail < Math.min(old.length, fresh.length) - head && old.at(-1 - tail) === fresh.at(-1 - tail))
    tail++;
  const removed = old.slice(head, old.length - tail).map((line) => `- ${line}`);
  const added = fresh.slice(head, fresh.length - tail).map((line) => `+ ${line}`);
  return [...(before === '' ? [] : removed), ...added].join('\n');
}
