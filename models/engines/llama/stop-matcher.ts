export type StopMatcher = {
  /** Takes the next text and gives back what may be shown of it. After `stopped` there is nothing more to come. */
  push(text: string): { text: string; stopped: boolean };
  /** What was held back because a stop text could have begun there. */
  flush(): string;
};

/** Ends a stream exactly before the stop text that is complete first, however the stream is cut into pieces. */
export function createStopMatcher(stopTexts: readonly string[]): StopMatcher {
  const stops = stopTexts.filter((stop) => stop !== '');
  let held = '';
  return {
    push(text) {
      const seen = held + text;
      const cut = firstStop(seen, stops);
      if (cut !== undefined) {
        held = '';
        return { text: seen.slice(0, cut), stopped: true };
      }
      const shown = seen.length - possibleStopLength(seen, stops);
      held = seen.slice(shown);
      return { text: seen.slice(0, shown), stopped: false };
    },
    flush() {
      const rest = held;
      held = '';
      return rest;
    },
  };
}

/** Where the stop text begins that ends first; of two that end together, the longer. */
function firstStop(text: string, stops: readonly string[]): number | undefined {
  let first: { start: number; end: number } | undefined;
  for (const stop of stops) {
    const start = text.indexOf(stop);
    const end = start + stop.length;
    if (start === -1) continue;
    if (!first || end < first.end || (end === first.end && start < first.start)) first = { start, end };
  }
  return first?.start;
}

/** Length of the longest end of `text` with which some stop text begins. */
function possibleStopLength(text: string, stops: readonly string[]): number {
  let longest = 0;
  for (const stop of stops) {
    for (let length = Math.min(stop.length - 1, text.length); length > longest; length--) {
      if (text.endsWith(stop.slice(0, length))) longest = length;
    }
  }
  return longest;
}
