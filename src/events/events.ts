import type { Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { Store } from '../store/store.ts';
import type { EventType, EventTypes } from './event-types.ts';

export type Events = ReturnType<typeof createEvents>;

export type RecordedEvent<Type extends EventType = EventType> = {
  sequence: number;
  id: string;
  type: Type;
  created_at: number;
  data: EventTypes[Type];
};

/** The outbox: an event is a row in the same transaction as the change that it reports. */
export function createEvents({ store, clock }: { store: Store; clock: Clock }) {
  const listeners = new Set<() => void>();
  return {
    /**
     * Called at once, still inside the transaction; the event can be read once that has committed. Returns a function
     * that unsubscribes.
     */
    onRecord(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    /** Returns the event's id. An event without an account is the daemon's own, such as a loaded model. */
    record<Type extends EventType>(type: Type, data: EventTypes[Type], accountId?: string): string {
      if (!store.inTransaction) throw new Error(`The event ${type} was recorded outside a transaction`);
      const now = clock.now();
      const id = newId('evt', now);
      const row = [id, type, now, JSON.stringify(data)];
      if (accountId === undefined) store.prepare(INSERT).run(...row);
      else store.prepare(INSERT_OF_ACCOUNT).run(...row, accountId);
      for (const listener of listeners) listener();
      return id;
    },

    latest: (): number => store.prepare<{ latest: number | null }>(LATEST).get()?.latest ?? 0,

    after(sequence: number, limit = 100): RecordedEvent[] {
      const rows = store
        .prepare<RecordedEvent & { data: string }>(
          'SELECT * FROM events WHERE sequence > ? ORDER BY sequence LIMIT ?',
        )
        .all(sequence, limit);
      return rows.map((row) => ({ ...row, data: JSON.parse(row.data) as EventTypes[EventType] }));
    },
  };
}

const INSERT = 'INSERT INTO events(id, type, created_at, data) VALUES(?, ?, ?, ?)';
const INSERT_OF_ACCOUNT = 'INSERT INTO events(id, type, created_at, data, account_id) VALUES(?, ?, ?, ?, ?)';
const LATEST = 'SELECT max(sequence) AS latest FROM events';
