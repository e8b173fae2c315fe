/** The only source of time, so that tests can control it. */
export type Clock = {
  now(): number;
  /** For timers that follow a clock that can be moved. */
  onMove?(listener: () => void): void;
};

export const systemClock: Clock = { now: () => Date.now() };

export function toIso(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
