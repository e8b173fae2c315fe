export type EventQueue<Event> = AsyncIterable<Event> & {
  push: (event: Event) => void;
  end: () => void;
  fail: (error: unknown) => void;
};

/** Decouples the model from its reader: a slow reader must not delay the other requests. */
export function createEventQueue<Event>(): EventQueue<Event> {
  const events: Event[] = [];
  let ended = false;
  let failure: { error: unknown } | undefined;
  let wake = () => {};

  function finish(error?: { error: unknown }): void {
    ended = true;
    failure ??= error;
    wake();
  }

  return {
    push(event) {
      if (ended) return;
      events.push(event);
      wake();
    },
    end: () => finish(),
    fail: (error) => finish({ error }),
    async *[Symbol.asyncIterator]() {
      for (;;) {
        yield* events.splice(0);
        if (events.length > 0) continue;
        if (failure) throw failure.error;
        if (ended) return;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}
