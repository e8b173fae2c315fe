import type { Store } from './store.ts';

export type Memory<Value> = ReturnType<typeof createMemory<Value>>;

/** Keeps what was read until its writer says that it changed. This process is the only one that writes. */
export function createMemory<Value>(store: Pick<Store, 'inTransaction'>) {
  const known = new Map<string, Value>();
  return {
    get(name: string, read: () => Value): Value {
      const value = known.get(name) ?? read();
      // What a transaction changed may still be taken back.
      if (!store.inTransaction) known.set(name, value);
      return value;
    },
    forget: (): void => known.clear(),
  };
}
