/** How long a request waits after its first token for others that came with it. */
export const BURST_MS_MAX = 1500;

/** A request in a slot. */
export type Running = {
  arrivedAtMs: number;
  /** When it got its first token; undefined during its prefill. */
  decodingSinceMs: number | undefined;
};

/**
 * How long decoding may still wait for prompts to be prefilled; 0 if it may not. A decode step with few requests takes
 * nearly as long as one with all of them, and in a burst no client has seen a steady stream yet.
 */
export function waitMsLeft(running: readonly Running[], nowMs: number, burstMs = BURST_MS_MAX): number {
  const prefilling = running.filter(({ decodingSinceMs }) => decodingSinceMs === undefined);
  const firstArrivedAtMs = Math.min(...prefilling.map(({ arrivedAtMs }) => arrivedAtMs));
  const decodingSince = running.flatMap(({ decodingSinceMs }) => decodingSinceMs ?? []);
  if (decodingSince.some((since) => since < firstArrivedAtMs)) return 0;
  return Math.max(0, Math.min(...decodingSince) + burstMs - nowMs);
}
