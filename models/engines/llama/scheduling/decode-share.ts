/**
 * The share of time that decoding is guaranteed during prefill: enough for text to keep coming, while prefill keeps
 * four fifths.
 */
const SHARE = 0.18;

export type DecodeShare = {
  /** How many tokens each request decodes before the next piece of prefill, and how long until it decodes again. */
  plan(prefillMs: number | undefined): { steps: number; periodMs: number };
  /** Records what a decode step costs. */
  observe(stepMs: number): void;
};

/**
 * Divides time between decoding and prefill. A piece of a prompt cannot be made so small that one token after each
 * would be a steady stream: below a certain size it takes no less time. So several tokens are decoded between two
 * pieces and released evenly.
 */
export function createDecodeShare(): DecodeShare {
  let stepMs: number | undefined;
  let owed = 0;

  return {
    plan(prefillMs) {
      if (prefillMs === undefined || stepMs === undefined) return { steps: 1, periodMs: 0 };
      owed = Math.max(0, owed) + (prefillMs * SHARE) / (1 - SHARE) / stepMs;
      const steps = Math.max(1, Math.floor(owed));
      owed -= steps;
      return { steps, periodMs: prefillMs + steps * stepMs };
    },
    observe(ms) {
      stepMs = stepMs === undefined ? ms : (stepMs + ms) / 2;
    },
  };
}
