/** The quantile of the normal distribution that leaves 2.5 % on either side. */
const Z = 1.959963984540054;

export type Interval = readonly [low: number, high: number];

/** Wilson's 95 % interval of a proportion. It stays useful for few trials, and if all or none passed. */
export function wilsonInterval(passed: number, trials: number): Interval | null {
  if (trials <= 0) return null;
  const share = passed / trials;
  const spread = Z ** 2 / trials;
  const middle = (share + spread / 2) / (1 + spread);
  const half = (Z * Math.sqrt((share * (1 - share)) / trials + spread / (4 * trials))) / (1 + spread);
  return [share === 0 ? 0 : Math.max(0, middle - half), share === 1 ? 1 : Math.min(1, middle + half)];
}

export type Tally = { passed: number; failed: number };

/**
 * The interval of several cases together. Samples of one case are similar, so they count as fewer trials than they
 * are: as many as would vary as much as the rates of the cases do, and never fewer than there are cases.
 */
export function totalInterval(cases: readonly Tally[]): Interval | null {
  const counted = cases.filter(({ passed, failed }) => passed + failed > 0);
  const passed = sum(counted.map((each) => each.passed));
  const samples = passed + sum(counted.map(({ failed }) => failed));
  const trials = effectiveTrials(counted, samples);
  return wilsonInterval((passed / samples) * trials, trials);
}

function effectiveTrials(cases: readonly Tally[], samples: number): number {
  if (cases.length < 2) return samples;
  const rates = cases.map(({ passed, failed }) => passed / (passed + failed));
  const mean = sum(rates) / rates.length;
  if (mean === 0 || mean === 1) return cases.length;
  const variance = sum(rates.map((rate) => (rate - mean) ** 2)) / (rates.length - 1);
  const trials = variance === 0 ? samples : (mean * (1 - mean)) / (variance / rates.length);
  return Math.min(samples, Math.max(cases.length, trials));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
