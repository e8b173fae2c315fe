import type { DaemonEvent } from '../../../src/api/management/events.ts';
import { reduce, type Action } from './reduce.ts';
import type { State } from './state.ts';

export type Store = ReturnType<typeof createStore>;

const COME_BY_THEMSELVES: ReadonlySet<Action['type']> = new Set(['event', 'run', 'tick', 'loaded']);
/** More of an answer, which arrives in many pieces. */
const comesByItself = (action: Action) =>
  COME_BY_THEMSELVES.has(action.type) || (action.type === 'chat' && action.change.kind === 'arrived');
/** More waiting events than this are applied at once. */
const WAITING_MAX = 1000;
const FLUSH_MS = 100;

/**
 * The state, outside React. Events are applied and shown in batches, `restMs` after the last frame; user input is
 * shown at once.
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

  /** Applies waiting events together: each alone would copy the whole state. */
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
    /** The current state. */
    current,
    /** The displayed state. */
    shown: () => shown,
    dispatch(action: Action): void {
      if (action.type === 'event') wait(action);
      // Events of a run or an answer do not depend on the waiting ones, which can keep waiting.
      else state = reduce(action.type === 'run' || action.type === 'chat' ? state : current(), action);
      if (comesByItself(action)) timer ??= setTimeout(flush, restMs());
      else flush();
    },
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => clearTimeout(timer),
  };
}
