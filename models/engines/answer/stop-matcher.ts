export type StopMatcher = {
  /** Consumes text and returns the part that may be shown. After a stop, nothing more is returned. */
  push(text: string): { text: string; stop?: Stop };
  /** What was held back as a possible beginning of a stop sequence. */
  flush(): string;
};

/** The stop sequence that matched, and what had already been generated after it. */
export type Stop = { found: string; rest: string };

/** Ends a stream exactly before the stop sequence that completes first, however the stream is chunked. */
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

/** The longer of two that end together. */
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

/** The length of the longest suffix of `text` that is the prefix of a stop sequence. */
export function possibleStopLength(text: string, stops: readonly string[]): number {
  let longest = 0;
  for (const stop of stops) {
    for (let length = Math.min(stop.length - 1, text.length); length > longest; length--) {
      if (text.endsWith(stop.slice(0, length))) longest = length;
    }
  }
  return longest;
}
