import type { Clock } from '../base/clock.ts';
import { Failure } from '../base/errors.ts';
import type { Store } from '../store/store.ts';
import { expiry } from './expiry.ts';
import type { Caller, Item } from './items.ts';

export type Responses = ReturnType<typeof createResponses>;

/** What is stored of a response: the answer as the client received it, its input, and its output. */
export type Kept = {
  answer: { id: string };
  previousId?: string | undefined;
  input: readonly Item[];
  output: readonly Item[];
};

/** Beyond this many, the oldest are deleted early. */
const KEPT_MAX = 10_000;
const PRUNED_AT_ONCE = 200;

/** The stored responses that later requests continue from. */
export function createResponses({ store, clock, ttlMs }: { store: Store; clock: Clock; ttlMs: number }) {
  /** A power cut may undo it, as it may undo its charge. */
  function keep({ accountId, keyId }: Caller, { answer, previousId = undefined, input, output }: Kept): void {
    store.relaxedTransaction(() => {
      const now = clock.now();
      const expires = expiry(clock, ttlMs);
      const row = { id: answer.id, accountId, keyId, previousId: previousId ?? null };
      store.prepare(INSERT).run({ ...row, answer: JSON.stringify(answer), now, expires });
      for (const item of input) store.prepare(INSERT_ITEM).run(answer.id, item.id, 0, JSON.stringify(item));
      for (const item of output) store.prepare(INSERT_ITEM).run(answer.id, item.id, 1, JSON.stringify(item));
      if (previousId !== undefined) store.prepare(PROLONG).run({ id: previousId, expires });
    });
  }

  function find(id: string, caller: Caller, param = 'id'): { answer: unknown; previousId: string | null } {
    const row = store
      .prepare<{ answer: string; previous_id: string | null }>(FIND)
      .get({ ...ownerOf(caller), id, now: clock.now() });
    if (row) return { answer: JSON.parse(row.answer), previousId: row.previous_id };
    throw new Failure(
      'not_found',
      `There is no response "${id}". It may have expired (response_store_ttl), or its request said "store": false.`,
      { param },
    );
  }

  function itemsOf(id: string, kind: 'input' | 'all'): Item[] {
    const rows = store.prepare<{ item: string }>(kind === 'all' ? ALL_ITEMS : INPUT_ITEMS).all(id);
    return rows.map(({ item }) => JSON.parse(item) as Item);
  }

  /** Everything said up to a response, and in it. */
  function conversationOf(id: string, caller: Caller, param: string): Item[] {
    const parts: Item[][] = [];
    for (let next: string | null = id; next !== null;) {
      const { previousId } = find(next, caller, param);
      parts.unshift(itemsOf(next, 'all'));
      next = previousId;
    }
    return parts.flat();
  }

  /** The input of a response, including everything said before. */
  function inputOf(id: string, caller: Caller): Item[] {
    const { previousId } = find(id, caller);
    const before = previousId === null ? [] : conversationOf(previousId, caller, 'id');
    return [...before, ...itemsOf(id, 'input')];
  }

  function findItem(id: string, caller: Caller, param: string): Item {
    const row = store.prepare<{ item: string }>(FIND_ITEM).get({ ...ownerOf(caller), id, now: clock.now() });
    if (row) return JSON.parse(row.item) as Item;
    throw new Failure(
      'not_found',
      `There is no stored item "${id}". Send the item itself, or store the response that it comes from.`,
      { param },
    );
  }

  return {
    keep,
    find,
    conversationOf,
    inputOf,
    findItem,
    remove(id: string, caller: Caller): void {
      find(id, caller);
      store.transaction(() => store.prepare('DELETE FROM responses WHERE id = ?').run(id));
    },
    /** Whether there may be more to delete. */
    prune(): boolean {
      const { changes } = store.relaxedTransaction(() => store.prepare(PRUNE).run({ now: clock.now() }));
      return changes === PRUNED_AT_ONCE;
    },
  };
}

const ownerOf = ({ accountId, keyId }: Caller) => ({ accountId, keyId });

const INSERT = `
  INSERT INTO responses(id, account_id, key_id, previous_id, answer, created_at, expires_at)
  VALUES(@id, @accountId, @keyId, @previousId, @answer, @now, @expires)`;

const INSERT_ITEM = `INSERT INTO response_items(response_id, id, is_output, item) VALUES(?, ?, ?, ?)`;

const CHAIN = `
  WITH RECURSIVE chain(id) AS (
    SELECT @id
    UNION SELECT previous_id FROM responses JOIN chain USING(id) WHERE previous_id IS NOT NULL)`;

/** A response lives as long as the latest one that continues from it. */
const PROLONG = `${CHAIN} UPDATE responses SET expires_at = max(expires_at, @expires) WHERE id IN (SELECT id FROM chain)`;

const OWN = `account_id = @accountId AND (@keyId IS NULL OR key_id = @keyId) AND expires_at > @now`;

const FIND = `SELECT answer, previous_id FROM responses WHERE id = @id AND ${OWN}`;

const ALL_ITEMS = `SELECT item FROM response_items WHERE response_id = ? ORDER BY place`;
const INPUT_ITEMS = `SELECT item FROM response_items WHERE response_id = ? AND is_output = 0 ORDER BY place`;

const FIND_ITEM = `
  SELECT item FROM response_items JOIN responses ON responses.id = response_id
  WHERE response_items.id = @id AND ${OWN}
  UNION ALL
  SELECT item FROM response_items JOIN conversations ON conversations.id = conversation_id
  WHERE response_items.id = @id AND ${OWN} LIMIT 1`;

const PRUNE = `
  DELETE FROM responses WHERE id IN (
    SELECT id FROM (
      SELECT id, expires_at, row_number() OVER (ORDER BY expires_at DESC, rowid DESC) AS age FROM responses)
    WHERE expires_at <= @now OR age > ${KEPT_MAX} LIMIT ${PRUNED_AT_ONCE})`;
