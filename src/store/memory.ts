import type { Store } from './store.ts';

export type Memory<Value> = ReturnType<typeof createMemory<Value>>;

/** Caches values until their writer invalidates them. This process is the only writer. */
export function createMemory<Value>(store: Pick<Store, 'inTransaction'>) {
  const known = new Map<string, Value>();
  return {
    get(name: string, read: () => Value): Value {
      const kept = known.get(name);
      if (kept !== undefined) return kept;
      const value = read();
      // A transaction may still be rolled back.
      if (!store.inTransaction) known.set(name, value);
      return value;
    },
    forget: (): void => known.clear(),
  };
}

/**
 * Caches values until any row changes: for data that many write and that is read again and again. What is not there is not
 * kept, since whoever asks chooses its name.
 */
export function createSnapshot<Value>(store: Pick<Store, 'inTransaction' | 'changes'>) {
  const known = new Map<string, Value>();
  let changes = -1;
  return {
    get(name: string, read: () => Value): Value {
      if (store.inTransaction) return read();
      const current = store.changes();
      if (current !== changes) known.clear();
      changes = current;
      const kept = known.get(name);
      if (kept !== undefined) return kept;
      const value = read();
      if (value !== undefined) known.set(name, value);
      return value;
    },
  };
}
