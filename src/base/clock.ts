/** The one source of time, so that tests can set it. */
export type Clock = {
  now(): number;
  /** For timers of a clock that can be moved. */
  onMove?(listener: () => void): void;
};

export const systemClock: Clock = { now: () => Date.now() };

export function toIso(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
