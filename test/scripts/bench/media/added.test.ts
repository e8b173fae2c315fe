import { describe, expect, test } from 'vitest';
import { addedLatency, type Start } from '../../../../scripts/bench/media/added.ts';

const ENGINE_MS = 500;
const GOAL = 0.03;

/** Eight starts of four pairs, in which the daemon takes this much more, give or take. */
function startsOf(addedMs: number, spreadMs: number, count = 8): Start[] {
  let seed = 1_234_567;
  const noise = () => (seed = (seed * 16_807) % 2_147_483_647) / 1_073_741_824 - 1;
  return Array.from({ length: count }, () =>
    Array.from({ length: 4 }, () => ({
      engineMs: ENGINE_MS,
      daemonMs: ENGINE_MS + addedMs + spreadMs * noise(),
    })),
  );
}

describe('what the daemon adds to a clip', () => {
  test('passes when it is small and the pairs agree', () => {
    const added = addedLatency(startsOf(5, 4), GOAL);
    expect(added).toMatchObject({ verdict: 'PASS', starts: 8, pairs: 32, engineMs: ENGINE_MS });
    expect(added.share.median).toBeCloseTo(0.01, 2);
    expect(added.addedMs.lower).toBeLessThan(added.addedMs.median);
    expect(added.addedMs.upper).toBeGreaterThan(added.addedMs.median);
  });

  test('misses the goal when the whole confidence interval is above it', () => {
    expect(addedLatency(startsOf(40, 4), GOAL).verdict).toBe('short');
  });

  test('is not valid when the daemon appears faster than the engine that it runs', () => {
    expect(addedLatency(startsOf(-54, 10), GOAL).verdict).toBe('not sound');
    expect(addedLatency(startsOf(-6, 4), GOAL).verdict).toBe('not sound');
  });

  test('passes a little below zero if the noise is larger than that', () => {
    expect(addedLatency(startsOf(-1, 12), GOAL).verdict).toBe('PASS');
  });

  test('is undecided when the pairs scatter more than the goal, whatever their median', () => {
    expect(addedLatency(startsOf(2, 150), GOAL).verdict).toBe('undecided');
  });

  test('is undecided after too few starts, and when whole starts contradict each other', () => {
    expect(addedLatency(startsOf(5, 1, 3), GOAL).verdict).toBe('undecided');
    const split = startsOf(0, 1).map((start, index) =>
      start.map((pair) => ({ ...pair, daemonMs: pair.daemonMs + (index % 2 === 0 ? 45 : -45) })),
    );
    expect(addedLatency(split, GOAL).verdict).toBe('undecided');
  });
});
