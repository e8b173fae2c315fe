import { reduce, type Action } from './reduce.ts';
import type { State } from './state.ts';

export type Store = ReturnType<typeof createStore>;

/** Ten times a second is as often as anybody reads. */
const FLUSH_MS = 100;

const COME_BY_THEMSELVES: ReadonlySet<Action['type']> = new Set(['event', 'run', 'tick', 'loaded']);

/**
 * The state, outside React. Events change it as they come and are shown in batches; what a person did is shown at once.
 */
export function createStore(initial: State) {
  const listeners = new Set<() => void>();
  let state = initial;
  let shown = initial;
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (shown === state) return;
    shown = state;
    for (const listener of listeners) listener();
  }

  return {
    /** As it is now. */
    current: () => state,
    /** As it is on the screen. */
    shown: () => shown,
    dispatch(action: Action): void {
      state = reduce(state, action);
      if (COME_BY_THEMSELVES.has(action.type)) timer ??= setTimeout(flush, FLUSH_MS);
      else flush();
    },
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => clearTimeout(timer),
  };
}
