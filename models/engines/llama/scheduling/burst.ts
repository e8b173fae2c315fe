/** How long a request waits after its first token for others that came with it. */
export const BURST_MS_MAX = 1500;

/** A request in a slot. */
export type Running = {
  begunAtMs: number;
  /** When it got its first token; undefined during its prefill. */
  decodingSinceMs: number | undefined;
};

/**
 * Whether decoding may wait until the prompts are prefilled. A decode step with few requests takes nearly as long as
 * one with all of them, and in a burst no client has seen a steady stream yet.
 */
export function mayDecodingWait(running: readonly Running[], nowMs: number, burstMs = BURST_MS_MAX): boolean {
  const prefilling = running.filter(({ decodingSinceMs }) => decodingSinceMs === undefined);
  const firstBegunAtMs = Math.min(...prefilling.map(({ begunAtMs }) => begunAtMs));
  return running.every(
    ({ decodingSinceMs: since }) =>
      since === undefined || (firstBegunAtMs <= since && nowMs - since < burstMs),
  );
}
