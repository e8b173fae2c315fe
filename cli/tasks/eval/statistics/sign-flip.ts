/** Rates are multiples of one over this if their denominators allow it; others are rounded to it. */
const GRID_MAX = 240;

export type Pair = { first: Rate; second: Rate };
/** How many of a case's samples passed. */
export type Rate = { passed: number; of: number };

/**
 * The exact sign-flip test, paired by case: how often differences as large as these would occur if, in each case, it
 * were chance which of the two did better. With one sample per case, it is McNemar's exact test.
 */
export function signFlipTest(pairs: readonly Pair[]): number {
  const grid = gridOf(pairs);
  const differences = pairs
    .map(({ first, second }) => Math.round((rate(second) - rate(first)) * grid))
    .filter((difference) => difference !== 0)
    .map(Math.abs);
  const observed = Math.abs(
    pairs.reduce((sum, { first, second }) => sum + Math.round((rate(second) - rate(first)) * grid), 0),
  );
  const unit = differences.reduce(greatestDivisor, 0) || 1;
  const chances = distributionOf(differences.map((difference) => difference / unit));
  const middle = (chances.length - 1) / 2;
  let chance = 0;
  for (const [index, each] of chances.entries())
    if (Math.abs(index - middle) * 2 >= observed / unit - 1e-9) chance += each;
  return Math.min(1, chance);
}

/** The probability of each sum if each difference is added or not: index i stands for the sum 2 i - all. */
function distributionOf(differences: readonly number[]): Float64Array {
  const all = differences.reduce((sum, difference) => sum + difference, 0);
  let chances = new Float64Array(all + 1);
  chances[0] = 1;
  let reached = 0;
  for (const difference of differences) {
    const next = new Float64Array(all + 1);
    for (let sum = 0; sum <= reached; sum += 1) {
      const half = (chances[sum] ?? 0) / 2;
      next[sum] = (next[sum] ?? 0) + half;
      next[sum + difference] = (next[sum + difference] ?? 0) + half;
    }
    chances = next;
    reached += difference;
  }
  return chances;
}

function gridOf(pairs: readonly Pair[]): number {
  let grid = 1;
  for (const { of } of pairs.flatMap(({ first, second }) => [first, second])) {
    grid = (grid * of) / greatestDivisor(grid, of);
    if (grid > GRID_MAX) return GRID_MAX;
  }
  return grid;
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

const rate = ({ passed, of }: Rate): number => passed / of;
