import type { Fact, NumberedEvent, PlacedFact, Source } from '../types.ts';

/** A piece of the answer as it is written. It has no number: a late viewer gets the whole answer. */
export type Streamed = NumberedEvent | { type: 'token'; delta: string } | FactEvent;

/**
 * What was found, for viewers that ask for it. It has no number either: after a reconnection, everything since the
 * last numbered event is sent again, and `index` tells which items those are.
 */
type FactEvent = { type: 'fact'; index: number } & Omit<Fact, 'source'> & { source: Omit<Source, 'n'> };

export type Broadcast = ReturnType<typeof createBroadcast>;

/**
 * The events of a run for any number of viewers, each at its own pace. Events are kept for late viewers. A slow
 * viewer gets the pieces of the answer merged, so nothing piles up.
 */
export function createBroadcast(past: readonly NumberedEvent[] = [], found: readonly PlacedFact[] = []) {
  const events = [...past];
  const facts = [...found];
  let text = '';
  let isOver = past.length > 0;
  let wake: () => void = () => undefined;
  let news = new Promise<void>((resolve) => (wake = resolve));

  function announce(): void {
    wake();
    news = new Promise<void>((resolve) => (wake = resolve));
  }

  async function* follow({
    after = 0,
    withTokens = false,
    withFacts = false,
  } = {}): AsyncGenerator<Streamed> {
    let next = events.findIndex(({ seq }) => seq > after);
    if (next < 0) next = events.length;
    let read = 0;
    let nextFact = facts.findIndex((each) => each.after >= after);
    if (nextFact < 0) nextFact = facts.length;
    for (;;) {
      const waiting = news;
      const event = events[next];
      const placed = facts[nextFact];
      if (withFacts && placed && placed.after <= next) {
        yield toEvent(placed.fact, nextFact);
        nextFact += 1;
        continue;
      }
      // The answer is streamed before the last event and after all others.
      if (withTokens && read < text.length && (event === undefined || isLast(event))) {
        const delta = text.slice(read);
        read = text.length;
        yield { type: 'token', delta };
      } else if (event) {
        next += 1;
        yield withFacts ? event : withoutFound(event);
      } else if (isOver) return;
      else await waiting;
    }
  }

  return {
    events: events as readonly NumberedEvent[],
    facts: facts as readonly PlacedFact[],
    text: () => text,
    add(event: NumberedEvent): void {
      events.push(event);
      announce();
    },
    found(placed: PlacedFact): void {
      facts.push(placed);
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

function toEvent({ source: { kind, url, title }, ...fact }: Fact, index: number): FactEvent {
  return { type: 'fact', index, ...fact, source: { kind, url, title } };
}

/** For viewers that do not ask for what was found. */
export function withoutFound(event: NumberedEvent): NumberedEvent {
  if (!('found' in event)) return event;
  const rest = { ...event };
  delete rest.found;
  return rest;
}

function isLast({ type }: NumberedEvent): boolean {
  return type === 'done' || type === 'error';
}
