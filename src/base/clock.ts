/** The one source of time, so that tests can set it. */
export type Clock = { now(): number };

export const systemClock: Clock = { now: () => Date.now() };

export function toIso(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
