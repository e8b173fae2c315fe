import { useSyncExternalStore } from 'react';
import { keep, kept } from '../../../../data/kept.ts';

const SAVE_MS = 500;

type Options<State> = { key: string; empty: State; restore: (before: State) => State };

/**
 * State that outlives its screen, so that an answer continues in the meantime, and that a reload of the page
 * restores.
 */
export function createKeptStore<State extends object>({ key, empty, restore }: Options<State>) {
  let state = empty;
  let isRead = false;
  let saving: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();

  function change(next: (now: State) => State): void {
    const before = state;
    state = next(state);
    if (state === before) return;
    for (const listener of listeners) listener();
    saving ??= setTimeout(save, SAVE_MS);
  }

  function listen(listener: () => void): () => void {
    listeners.add(listener);
    if (!isRead) void read();
    return () => listeners.delete(listener);
  }

  async function read(): Promise<void> {
    isRead = true;
    const before = await kept<State>(key).catch(() => undefined);
    // A user who was faster than the browser's storage has already started something new.
    if (before && state === empty) change(() => restore(before));
  }

  function save(): void {
    saving = undefined;
    keep(key, state).catch((error: unknown) => console.error(error));
  }

  const current = () => state;
  const use = () => useSyncExternalStore(listen, current);
  return { change, current, use };
}
