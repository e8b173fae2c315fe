import type { FromRunner } from '../src/runtime/wire.ts';

export type Outbox = {
  /**
   * Sends it with all others of this turn of the event loop, once the turn is over: by then an engine has started its
   * next step, and the other process is woken once instead of once for each stream.
   */
  sendSoon: (message: FromRunner) => void;
  /** Sends it now, after everything that waits. */
  send: (message: FromRunner, onSent?: () => void) => void;
  flush: () => void;
};

export function createOutbox(
  post: (message: FromRunner | readonly FromRunner[], onSent?: () => void) => void,
): Outbox {
  let waiting: FromRunner[] = [];

  function flush(): void {
    const [first, ...others] = waiting;
    waiting = [];
    if (first) post(others.length === 0 ? first : [first, ...others]);
  }

  return {
    sendSoon(message) {
      if (waiting.push(message) === 1) setImmediate(flush);
    },
    send(message, onSent) {
      flush();
      post(message, onSent);
    },
    flush,
  };
}
