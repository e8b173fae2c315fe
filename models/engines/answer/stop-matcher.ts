export type StopMatcher = {
  /** Takes the next text and gives back what may be shown of it. After a stop there is nothing more to come. */
  push(text: string): { text: string; stop?: Stop };
  /** What was held back because a stop text could have begun there. */
  flush(): string;
};

/** The stop text that was found, and what had come after it already. */
export type Stop = { found: string; rest: string };

/** Ends a stream exactly before the stop text that is complete first, however the stream is cut into pieces. */
export function createStopMatcher(stopTexts: readonly string[]): StopMatcher {
  const stops = stopTexts.filter((stop) => stop !== '');
  let held = '';
  return {
    push(text) {
      const seen = held + text;
      const cut = firstStop(seen, stops);
      if (cut) {
        held = '';
        return { text: seen.slice(0, cut.start), stop: { found: cut.found, rest: seen.slice(cut.end) } };
      }
      const shown = seen.length - possibleStopLength(seen, stops);
      held = seen.slice(shown);
      return { text: seen.slice(0, shown) };
    },
    flush() {
      const rest = held;
      held = '';
      return rest;
    },
  };
}

type Cut = { start: number; end: number; found: string };

/** Of two that end together, the longer. */
function firstStop(text: string, stops: readonly string[]): Cut | undefined {
  let first: Cut | undefined;
  for (const found of stops) {
    const start = text.indexOf(found);
    const end = start + found.length;
    if (start === -1) continue;
    if (!first || end < first.end || (end === first.end && start < first.start))
      first = { start, end, found };
  }
  return first;
}

/** Length of the longest end of `text` with which some stop text begins. */
export function possibleStopLength(text: string, stops: readonly string[]): number {
  let longest = 0;
  for (const stop of stops) {
    for (let length = Math.min(stop.length - 1, text.length); length > longest; length--) {
      if (text.endsWith(stop.slice(0, length))) longest = length;
    }
  }
  return longest;
}
