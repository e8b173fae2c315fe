import type { DaemonEvent } from '../../../src/api/management/events.ts';
import { reduce, type Action } from './reduce.ts';
import type { State } from './state.ts';

export type Store = ReturnType<typeof createStore>;

const COME_BY_THEMSELVES: ReadonlySet<Action['type']> = new Set(['event', 'run', 'tick', 'loaded']);
/** In a flood they are not left to pile up until the next frame. */
const WAITING_MAX = 1000;
const FLUSH_MS = 100;

/**
 * The state, outside React. Events change it as they come and are shown in batches, `restMs` after the last one; what a
 * person did is shown at once.
 */
export function createStore(initial: State, restMs: () => number = () => FLUSH_MS) {
  const listeners = new Set<() => void>();
  let state = initial;
  let shown = initial;
  let waiting: { events: DaemonEvent[]; now: number } | undefined;
  let timer: NodeJS.Timeout | undefined;

  function wait({ event, now }: Extract<Action, { type: 'event' }>): void {
    waiting ??= { events: [], now };
    waiting.events.push(event);
    waiting.now = now;
    if (waiting.events.length >= WAITING_MAX) current();
  }

  /** Events are taken in together: each alone would copy all that is kept. */
  function current(): State {
    if (waiting === undefined) return state;
    state = reduce(state, { type: 'events', ...waiting });
    waiting = undefined;
    return state;
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (shown === current()) return;
    shown = state;
    for (const listener of listeners) listener();
  }

  return {
    /** As it is now. */
    current,
    /** As it is on the screen. */
    shown: () => shown,
    dispatch(action: Action): void {
      if (action.type === 'event') wait(action);
      // What a run tells touches nothing of what the waiting events do: they may wait on.
      else state = reduce(action.type === 'run' ? state : current(), action);
      if (COME_BY_THEMSELVES.has(action.type)) timer ??= setTimeout(flush, restMs());
      else flush();
    },
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => clearTimeout(timer),
  };
}
