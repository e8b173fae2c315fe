import type { Collection, Collections } from '../tools/docs/collections.ts';
import type { Clock } from '../../base/clock.ts';
import { Failure } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { FileOwner } from '../../responses/files.ts';
import type { Store } from '../../store/store.ts';

export type VectorStore = {
  id: string;
  collectionId: number;
  name: string;
  metadata: Record<string, string>;
  expiresAfterDays: number | null;
  createdAt: number;
  lastActiveAt: number;
};

export type StoreOptions = {
  name?: string;
  metadata?: Record<string, string>;
  expiresAfterDays?: number | null;
};

type Row = Omit<VectorStore, 'metadata'> & { metadata: string };

const DAY_MS = 86_400_000;
const STORES_MAX = 1000;
const PRUNED_AT_ONCE = 20;

export type Stores = ReturnType<typeof createStores>;

type Parts = { store: Store; clock: Clock; collections: Collections };

/** The rows of vector stores. Each has a collection of documents, named by the store's id. */
export function createStores({ store, clock, collections }: Parts) {
  function create(owner: FileOwner, { name = '', metadata = {}, expiresAfterDays = null }: StoreOptions) {
    const { count = 0 } = store.prepare<{ count: number }>(COUNT).get(owner.accountId) ?? {};
    if (count >= STORES_MAX)
      throw new Failure('invalid_value', `There are ${STORES_MAX} vector stores. Delete one first.`);
    const now = clock.now();
    const id = newId('vs', now);
    store.transaction(() => {
      const collectionId = collections.create(id);
      const row = { id, collectionId, ...owner, name, metadata: JSON.stringify(metadata) };
      store.prepare(INSERT).run({ ...row, expiresAfterDays, now });
    });
    return find(id, owner);
  }

  function find(id: string, { accountId, keyId }: FileOwner, param = 'id'): VectorStore {
    const row = store.prepare<Row>(FIND).get({ id, accountId, keyId, now: clock.now() });
    if (row) return toStore(row);
    throw new Failure('not_found', `There is no vector store "${id}".`, { param });
  }

  function update(id: string, { name, metadata, expiresAfterDays }: StoreOptions): void {
    store.transaction(() => {
      store.prepare(UPDATE).run({
        id,
        name: name ?? null,
        metadata: metadata === undefined ? null : JSON.stringify(metadata),
        setsExpiry: Number(expiresAfterDays !== undefined),
        expiresAfterDays: expiresAfterDays ?? null,
      });
    });
  }

  const collectionOf = ({ collectionId }: VectorStore): Collection => {
    const found = collections.get(collectionId);
    if (!found) throw new Error(`The vector store has no collection ${collectionId}`);
    return found;
  };

  return {
    create,
    find,
    update,
    collectionOf,
    /** Oldest first. */
    list: ({ accountId, keyId }: FileOwner): VectorStore[] =>
      store.prepare<Row>(LIST).all({ accountId, keyId, now: clock.now() }).map(toStore),
    /** Its expiry counts from now. */
    touch: (id: string): void =>
      store.relaxedTransaction(() => {
        store.prepare('UPDATE vector_stores SET last_active_at = ? WHERE id = ?').run(clock.now(), id);
      }),
    /** Its passages are deleted too; the files stay. */
    remove: (vectorStore: VectorStore): void => collections.drop(collectionOf(vectorStore)),
    expiresAt: ({ lastActiveAt, expiresAfterDays }: VectorStore): number | null =>
      expiresAfterDays === null ? null : lastActiveAt + expiresAfterDays * DAY_MS,
    /** Whether there may be more to delete. */
    prune(): boolean {
      const expired = store.prepare<{ collectionId: number }>(EXPIRED).all(clock.now());
      for (const { collectionId } of expired) {
        const collection = collections.get(collectionId);
        if (collection) collections.drop(collection);
      }
      return expired.length === PRUNED_AT_ONCE;
    },
  };
}

function toStore({ metadata, ...row }: Row): VectorStore {
  return { ...row, metadata: JSON.parse(metadata) as Record<string, string> };
}

const EXPIRES_AT = `last_active_at + expires_after_days * ${DAY_MS}`;

const STORES = `
  SELECT id, collection_id AS collectionId, name, metadata, expires_after_days AS expiresAfterDays,
    created_at AS createdAt, last_active_at AS lastActiveAt
  FROM vector_stores
  WHERE account_id = @accountId AND (@keyId IS NULL OR key_id = @keyId)
    AND (expires_after_days IS NULL OR ${EXPIRES_AT} > @now)`;

const FIND = `${STORES} AND id = @id`;
const LIST = `${STORES} ORDER BY created_at, id`;
const COUNT = 'SELECT count(*) AS count FROM vector_stores WHERE account_id = ?';

const INSERT = `
  INSERT INTO vector_stores(
    id, collection_id, account_id, key_id, name, metadata, expires_after_days, created_at, last_active_at)
  VALUES(@id, @collectionId, @accountId, @keyId, @name, @metadata, @expiresAfterDays, @now, @now)`;

const UPDATE = `
  UPDATE vector_stores SET name = coalesce(@name, name), metadata = coalesce(@metadata, metadata),
    expires_after_days = CASE WHEN @setsExpiry THEN @expiresAfterDays ELSE expires_after_days END
  WHERE id = @id`;

const EXPIRED = `
  SELECT collection_id AS collectionId FROM vector_stores
  WHERE expires_after_days IS NOT NULL AND ${EXPIRES_AT} <= ? LIMIT ${PRUNED_AT_ONCE}`;
