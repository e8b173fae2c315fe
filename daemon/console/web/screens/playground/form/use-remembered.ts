import { useSyncExternalStore } from 'react';

const values = new Map<string, unknown>();
const listeners = new Set<() => void>();

export type Change<Value> = (change: (value: Value) => Value) => void;

/**
 * State that outlives its form: after a visit to another tab everything is as it was, and work continues in the
 * meantime.
 */
export function useRemembered<Value>(name: string, initial: Value): [Value, Change<Value>] {
  const read = () => (values.has(name) ? (values.get(name) as Value) : initial);
  const change: Change<Value> = (next) => {
    values.set(name, next(read()));
    for (const listener of listeners) listener();
  };
  return [useSyncExternalStore(listen, read), change];
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
