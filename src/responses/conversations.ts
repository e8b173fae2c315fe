import type { Clock } from '../base/clock.ts';
import { Failure } from '../base/errors.ts';
import type { Store } from '../store/store.ts';
import { expiry } from './expiry.ts';
import type { Caller, Item } from './items.ts';

export type Conversations = ReturnType<typeof createConversations>;

export type ConversationRecord = { id: string; createdAtMs: number; metadata: Record<string, unknown> };

const PRUNED_AT_ONCE = 200;

/** Conversations that the daemon stores, so that clients send only what is new. */
export function createConversations({ store, clock, ttlMs }: { store: Store; clock: Clock; ttlMs: number }) {
  const own = (id: string, { accountId, keyId }: Caller) => ({ id, accountId, keyId, now: clock.now() });

  function find(id: string, caller: Caller, param = 'id'): ConversationRecord {
    const row = store
      .prepare<{ id: string; metadata: string; created_at: number }>(FIND)
      .get(own(id, caller));
    if (!row) throw new Failure('not_found', `There is no conversation "${id}".`, { param });
    const metadata = JSON.parse(row.metadata) as Record<string, unknown>;
    return { id, createdAtMs: row.created_at, metadata };
  }

  /** Adding to a conversation extends its life. */
  function add(id: string, caller: Caller, items: readonly Item[], isOutput = false): void {
    store.relaxedTransaction(() => {
      find(id, caller);
      for (const item of items)
        store.prepare(INSERT_ITEM).run(id, item.id, Number(isOutput), JSON.stringify(item));
      store.prepare('UPDATE conversations SET expires_at = ? WHERE id = ?').run(expiry(clock, ttlMs), id);
    });
  }

  function itemsOf(id: string, caller: Caller, param?: string): Item[] {
    find(id, caller, param);
    const rows = store.prepare<{ item: string }>(ITEMS).all(id);
    return rows.map(({ item }) => JSON.parse(item) as Item);
  }

  function findItem(id: string, itemId: string, caller: Caller): Item {
    const item = itemsOf(id, caller).find((one) => one.id === itemId);
    if (item) return item;
    throw new Failure('not_found', `The conversation has no item "${itemId}".`, { param: 'item_id' });
  }

  return {
    find,
    add,
    itemsOf,
    findItem,
    create(id: string, { accountId, keyId }: Caller, metadata: Record<string, unknown>): void {
      const row = { id, accountId, keyId, metadata: JSON.stringify(metadata), now: clock.now() };
      store.transaction(() => store.prepare(INSERT).run({ ...row, expires: expiry(clock, ttlMs) }));
    },
    update(id: string, caller: Caller, metadata: Record<string, unknown>): void {
      find(id, caller);
      const text = JSON.stringify(metadata);
      store.transaction(() =>
        store.prepare('UPDATE conversations SET metadata = ? WHERE id = ?').run(text, id),
      );
    },
    remove(id: string, caller: Caller): void {
      find(id, caller);
      store.transaction(() => store.prepare('DELETE FROM conversations WHERE id = ?').run(id));
    },
    removeItem(id: string, itemId: string, caller: Caller): void {
      findItem(id, itemId, caller);
      store.transaction(() => store.prepare(DELETE_ITEM).run(id, itemId));
    },
    /** Whether there may be more to delete. */
    prune(): boolean {
      const { changes } = store.relaxedTransaction(() => store.prepare(PRUNE).run(clock.now()));
      return changes === PRUNED_AT_ONCE;
    },
  };
}

const FIND = `
  SELECT id, metadata, created_at FROM conversations
  WHERE id = @id AND account_id = @accountId AND (@keyId IS NULL OR key_id = @keyId) AND expires_at > @now`;

const INSERT = `
  INSERT INTO conversations(id, account_id, key_id, metadata, created_at, expires_at)
  VALUES(@id, @accountId, @keyId, @metadata, @now, @expires)`;

const INSERT_ITEM = `INSERT INTO response_items(conversation_id, id, is_output, item) VALUES(?, ?, ?, ?)`;
const ITEMS = `SELECT item FROM response_items WHERE conversation_id = ? ORDER BY place`;
const DELETE_ITEM = `DELETE FROM response_items WHERE conversation_id = ? AND id = ?`;

const PRUNE = `
  DELETE FROM conversations WHERE id IN (
    SELECT id FROM conversations WHERE expires_at <= ? LIMIT ${PRUNED_AT_ONCE})`;
