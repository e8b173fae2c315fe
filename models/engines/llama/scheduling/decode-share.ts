/** What those who write get of the time while others read: enough for a text to go on, and reading keeps four fifths. */
const SHARE = 0.18;

export type DecodeShare = {
  /** How many tokens each writes before the next piece of a prompt is read, and after how long it writes again. */
  plan(readMs: number | undefined): { steps: number; periodMs: number };
  /** Learns what a token costs. */
  observe(stepMs: number): void;
};

/**
 * Shares time between those who write and those who read. A piece of a prompt can't be made so small that a token after
 * each would be a steady stream: below a certain size it takes no less time. So several tokens are written between two
 * pieces, and shown evenly.
 */
export function createDecodeShare(): DecodeShare {
  let stepMs: number | undefined;
  let owed = 0;

  return {
    plan(readMs) {
      if (readMs === undefined || stepMs === undefined) return { steps: 1, periodMs: 0 };
      owed = Math.max(0, owed) + (readMs * SHARE) / (1 - SHARE) / stepMs;
      const steps = Math.max(1, Math.floor(owed));
      owed -= steps;
      return { steps, periodMs: readMs + steps * stepMs };
    },
    observe(ms) {
      stepMs = stepMs === undefined ? ms : (stepMs + ms) / 2;
    },
  };
}
