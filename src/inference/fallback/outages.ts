import type { Failure } from '../../base/errors.ts';

/** As for the servers of a model: never so long that a recovery goes unnoticed. */
const REST_MS_MIN = 500;
const REST_MS_MAX = 30_000;

type Outage = { reason: Failure; failures: number; untilMs: number; isKnown: boolean };

/** The models that failed recently. Each is skipped for a while, longer each time it fails again. */
export function createOutages(nowMs: () => number = () => performance.now()) {
  const outages = new Map<string, Outage>();

  return {
    /** Models that are being skipped come last: they are still better than none. */
    inOrder(artifacts: readonly string[]): string[] {
      const now = nowMs();
      const rests = (artifact: string) => (outages.get(artifact)?.untilMs ?? 0) > now;
      return artifacts.toSorted((a, b) => Number(rests(a)) - Number(rests(b)));
    },
    of: (artifact: string): Failure | undefined => outages.get(artifact)?.reason,
    began(artifact: string, reason: Failure): void {
      const { failures = 0, isKnown = false } = outages.get(artifact) ?? {};
      const untilMs = nowMs() + Math.min(REST_MS_MAX, REST_MS_MIN * 2 ** failures);
      outages.set(artifact, { reason, failures: failures + 1, untilMs, isKnown });
    },
    /** True once per outage. */
    isFirstFor(artifact: string): boolean {
      const outage = outages.get(artifact);
      if (!outage || outage.isKnown) return false;
      outage.isKnown = true;
      return true;
    },
    /** Returns whether there was an outage. */
    ended: (artifact: string): boolean => outages.delete(artifact),
  };
}
