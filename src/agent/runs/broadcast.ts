import type { NumberedEvent } from '../types.ts';

/** A piece of the answer as it is written. It has no number: a late viewer gets the whole answer. */
export type Streamed = NumberedEvent | { type: 'token'; delta: string };

export type Broadcast = ReturnType<typeof createBroadcast>;

/**
 * The events of a run for any number of viewers, each at its own pace. Events are kept for late viewers; a slow
 * viewer gets the pieces of the answer joined, so nothing piles up.
 */
export function createBroadcast(past: readonly NumberedEvent[] = []) {
  const events = [...past];
  let text = '';
  let isOver = past.length > 0;
  let wake: () => void = () => undefined;
  let news = new Promise<void>((resolve) => (wake = resolve));

  function announce(): void {
    wake();
    news = new Promise<void>((resolve) => (wake = resolve));
  }

  async function* follow({ after = 0, withTokens = false } = {}): AsyncGenerator<Streamed> {
    let next = events.findIndex(({ seq }) => seq > after);
    if (next < 0) next = events.length;
    let read = 0;
    for (;;) {
      const waiting = news;
      const event = events[next];
      // The answer is written before the last event and after all others.
      if (withTokens && read < text.length && (event === undefined || isLast(event))) {
        const delta = text.slice(read);
        read = text.length;
        yield { type: 'token', delta };
      } else if (event) {
        next += 1;
        yield event;
      } else if (isOver) return;
      else await waiting;
    }
  }

  return {
    events: events as readonly NumberedEvent[],
    text: () => text,
    add(event: NumberedEvent): void {
      events.push(event);
      announce();
    },
    write: (piece: string): void => {
      text += piece;
      announce();
    },
    end(): void {
      isOver = true;
      announce();
    },
    follow,
  };
}

function isLast({ type }: NumberedEvent): boolean {
  return type === 'done' || type === 'error';
}
