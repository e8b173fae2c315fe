import { createReadStream } from 'node:fs';
import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { Failure } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { Store } from '../store/store.ts';

/** Only that key may use it, and the owner, who comes without a key. */
export type FileOwner = { accountId: string; keyId: string | null };

export type StoredFile = {
  id: string;
  name: string;
  purpose: string;
  bytes: number;
  createdAt: number;
  expiresAt: number | null;
};

/** A file on this disk, which is moved. */
export type NewFile = {
  owner: FileOwner;
  path: string;
  name: string;
  purpose: string;
  bytes: number;
  ttlMs?: number | undefined;
  /** Runs in the transaction that adds it. */
  alongside?: (id: string) => void;
};

export type Files = ReturnType<typeof createFiles>;

const NAME_CHARACTERS_MAX = 255;
const PRUNED_AT_ONCE = 100;

type Parts = {
  store: Store;
  clock: Clock;
  folder: string;
  /** For all files of an account. */
  bytesMax: number;
  /** Everything made from the file is deleted in the same transaction; anything that still needs the file refuses. */
  onRemove: (id: string) => void;
};

/** Files that clients uploaded, each stored under its id: no client's name becomes a path. */
export function createFiles({ store, clock, folder, bytesMax, onRemove }: Parts) {
  const pathOf = (id: string) => join(folder, id);

  async function add({ owner, path, name, purpose, bytes, ttlMs, alongside }: NewFile): Promise<StoredFile> {
    if (bytes === 0) throw new Failure('invalid_value', 'The file is empty.', { param: 'file' });
    refuseBeyondSpace(owner.accountId, bytes);
    const now = clock.now();
    const id = newId('file', now);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await rename(path, pathOf(id));
    try {
      const expiresAt = ttlMs === undefined ? null : now + ttlMs;
      const row = { id, ...owner, purpose, name: printable(name), bytes, now, expiresAt };
      store.transaction(() => {
        refuseBeyondSpace(owner.accountId, bytes);
        store.prepare(INSERT).run(row);
        alongside?.(id);
      });
    } catch (error) {
      await rm(pathOf(id), { force: true });
      throw error;
    }
    return find(id, owner);
  }

  function refuseBeyondSpace(accountId: string, bytes: number): void {
    const { used = 0 } = store.prepare<{ used: number }>(USED).get(accountId) ?? {};
    if (used + bytes <= bytesMax) return;
    throw new Failure(
      'request_too_large',
      `All files together may have at most ${bytesMax} bytes (file_store_bytes), and ${used} are used. Delete files that you no longer need.`,
      { param: 'file' },
    );
  }

  function find(id: string, owner: FileOwner, param = 'id'): StoredFile {
    const row = store.prepare<StoredFile>(FIND).get({ ...ownOf(owner), id, now: clock.now() });
    if (row) return row;
    throw new Failure('not_found', `There is no file "${id}".`, { param });
  }

  function remove(id: string): void {
    store.transaction(() => {
      onRemove(id);
      store.prepare('DELETE FROM files WHERE id = ?').run(id);
    });
  }

  /** After a restore, the row exists but the content does not. */
  async function sizeOf(id: string): Promise<number> {
    return (await stat(pathOf(id)).catch(orGone(id))).size;
  }

  return {
    add,
    find,
    /** Oldest first. */
    list: (owner: FileOwner, purpose?: string): StoredFile[] =>
      store.prepare<StoredFile>(LIST).all({ ...ownOf(owner), purpose: purpose ?? null, now: clock.now() }),
    sizeOf,
    /** Where its content is stored, whoever owns it. */
    async pathOf(id: string): Promise<string> {
      await sizeOf(id);
      return pathOf(id);
    },
    read: (id: string): Promise<Buffer> => readFile(pathOf(id)).catch(orGone(id)),
    async open(id: string): Promise<NodeJS.ReadableStream> {
      await sizeOf(id);
      return createReadStream(pathOf(id));
    },
    async remove(id: string, owner: FileOwner): Promise<void> {
      find(id, owner);
      remove(id);
      await rm(pathOf(id), { force: true });
    },
    /** Resolves to whether there may be more to delete. */
    async prune(): Promise<boolean> {
      const expired = store.prepare<{ id: string }>(EXPIRED).all(clock.now());
      for (const { id } of expired) {
        remove(id);
        await rm(pathOf(id), { force: true });
      }
      return expired.length === PRUNED_AT_ONCE;
    },
  };
}

const ownOf = ({ accountId, keyId }: FileOwner) => ({ accountId, keyId });

const orGone =
  (id: string) =>
  (cause: NodeJS.ErrnoException): never => {
    throw cause.code === 'ENOENT' ? contentGone(id) : cause;
  };

function contentGone(id: string): Failure {
  return new Failure(
    'not_found',
    `The content of ${id} is not on this machine: a backup does not have it. Upload the file again.`,
  );
}

/** As it is shown; it never becomes a path. */
function printable(name: string): string {
  // eslint-disable-next-line no-control-regex
  const clean = name.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '').trim();
  return clean.slice(-NAME_CHARACTERS_MAX) || 'file';
}

const INSERT = `
  INSERT INTO files(id, account_id, key_id, purpose, name, bytes, created_at, expires_at)
  VALUES(@id, @accountId, @keyId, @purpose, @name, @bytes, @now, @expiresAt)`;

const FILES = `
  SELECT id, name, purpose, bytes, created_at AS createdAt, expires_at AS expiresAt FROM files
  WHERE account_id = @accountId AND (@keyId IS NULL OR key_id = @keyId)
    AND (expires_at IS NULL OR expires_at > @now)`;

const FIND = `${FILES} AND id = @id`;
const LIST = `${FILES} AND (@purpose IS NULL OR purpose = @purpose) ORDER BY created_at, id`;
const USED = 'SELECT coalesce(sum(bytes), 0) AS used FROM files WHERE account_id = ?';
/** A batch reads its file until it has ended. */
const EXPIRED = `
  SELECT id FROM files WHERE expires_at <= ? AND id NOT IN (
    SELECT input_file_id FROM batches WHERE status IN ('validating', 'in_progress', 'finalizing', 'cancelling'))
  LIMIT ${PRUNED_AT_ONCE}`;
