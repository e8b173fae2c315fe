import type { Store } from './store.ts';

export type Memory<Value> = ReturnType<typeof createMemory<Value>>;

/** Keeps what was read until its writer says that it changed. This process is the only one that writes. */
export function createMemory<Value>(store: Pick<Store, 'inTransaction'>) {
  const known = new Map<string, Value>();
  return {
    get(name: string, read: () => Value): Value {
      const kept = known.get(name);
      if (kept !== undefined) return kept;
      const value = read();
      // What a transaction changed may still be taken back.
      if (!store.inTransaction) known.set(name, value);
      return value;
    },
    forget: (): void => known.clear(),
  };
}

/** Keeps what was read until any row changes: for what many write, and who only looks asks for again and again. */
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
      known.set(name, value);
      return value;
    },
  };
}
