import { median } from '../overhead/timing.ts';

/** One clip by both sides, one right after the other. */
export type Pair = { engineMs: number; daemonMs: number };

/** All pairs of one start: each start has new processes, which may be lucky or unlucky as a whole. */
export type Start = readonly Pair[];

export type Added = {
  verdict: 'PASS' | 'short' | 'not sound' | 'undecided';
  starts: number;
  pairs: number;
  engineMs: number;
  daemonMs: number;
  /** The median of the pairs' differences, and the range of the middle half of all pairs. */
  addedMs: { median: number; lower: number; upper: number };
  /** Relative to the engine's time, with the 99 % interval of the median. */
  share: { median: number; low: number; high: number };
};

const STARTS_MIN = 4;
const RESAMPLES = 2000;
/** Bootstrapping from few starts makes intervals slightly too narrow, so this is more than the usual 95 %. */
const CONFIDENCE = 0.99;

/**
 * What the daemon adds, and whether that is credible. A result below zero is not valid: the sides were not alike. A
 * pass needs an interval within the goal on both sides of zero, since a wider one could hide just as much.
 */
export function addedLatency(starts: readonly Start[], shareMax: number): Added {
  const pairs = starts.flat();
  const engineMs = median(pairs.map((pair) => pair.engineMs));
  const differences = pairs.map(differenceOf);
  const resampled = resampledMedians(starts).map((ms) => ms / engineMs);
  const share = {
    median: median(differences) / engineMs,
    low: quantile(resampled, (1 - CONFIDENCE) / 2),
    high: quantile(resampled, (1 + CONFIDENCE) / 2),
  };
  return {
    verdict: starts.length < STARTS_MIN ? 'undecided' : verdictOf(share, shareMax),
    starts: starts.length,
    pairs: pairs.length,
    engineMs,
    daemonMs: median(pairs.map((pair) => pair.daemonMs)),
    addedMs: {
      median: median(differences),
      lower: quantile(differences, 0.25),
      upper: quantile(differences, 0.75),
    },
    share,
  };
}

function verdictOf({ low, high }: Added['share'], shareMax: number): Added['verdict'] {
  if (high < 0) return 'not sound';
  if (low > shareMax) return 'short';
  return low >= -shareMax && high <= shareMax ? 'PASS' : 'undecided';
}

/**
 * Resampled by start, since pairs of the same processes are not independent; with the same random numbers each time.
 */
function resampledMedians(starts: readonly Start[]): number[] {
  let seed = 1;
  const draw = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return starts[Math.floor((seed / 2_147_483_647) * starts.length)] ?? [];
  };
  return Array.from({ length: RESAMPLES }, () => median(starts.flatMap(() => draw().map(differenceOf))));
}

function differenceOf({ engineMs, daemonMs }: Pair): number {
  return daemonMs - engineMs;
}

/** Interpolated between the two nearest values. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] ?? Number.NaN;
  const above = sorted[Math.ceil(at)] ?? below;
  return below + (above - below) * (at - Math.floor(at));
}
