import type { CheckResult, ToolCall } from './checks/check.ts';
import { signFlipTest } from './statistics/sign-flip.ts';
import { totalInterval, wilsonInterval, type Interval } from './statistics/wilson.ts';

export type Outcome = 'passed' | 'failed' | 'error';

/** One answer of one model to one case. */
export type Sample = {
  sample: number;
  outcome: Outcome;
  text: string;
  tool_calls: readonly ToolCall[];
  finish_reason: string | null;
  checks: CheckResult[];
  /** Why there is no complete answer. */
  error: { code: string; message: string } | null;
  first_token_ms: number | null;
  tokens_per_second: number | null;
  duration_ms: number;
  prompt_tokens: number;
  completion_tokens: number;
  /** In credits, including the cost of judging; null if the server does not report it. */
  cost: number | null;
};

export type Counts = { passed: number; failed: number; errors: number };

export type CaseResult = Counts & { name: string; interval: Interval | null; samples: readonly Sample[] };

export type ModelResult = Counts & {
  model: string;
  /** Passed, among those with a verdict; null if none has one. */
  rate: number | null;
  interval: Interval | null;
  cost: number | null;
  first_token_ms: number | null;
  tokens_per_second: number | null;
  cases: readonly CaseResult[];
};

/** How much better the second is, paired by case. */
export type Difference = {
  first: string;
  second: string;
  cases: number;
  /** Of the mean rates. */
  difference: number;
  p: number;
  significant: boolean;
  better: readonly string[];
  worse: readonly string[];
};

const SIGNIFICANT = 0.05;

export function outcomeOf({ error, checks }: Pick<Sample, 'error' | 'checks'>): Outcome {
  if (error !== null) return 'error';
  // An answer that failed one check has failed, whatever the others would have said.
  if (checks.some(({ outcome }) => outcome === 'failed')) return 'failed';
  return checks.some(({ outcome }) => outcome === 'error') ? 'error' : 'passed';
}

export function toCaseResult(name: string, samples: readonly Sample[]): CaseResult {
  const counts = countsOf(samples.map(({ outcome }) => outcome));
  return { name, ...counts, interval: wilsonInterval(counts.passed, counts.passed + counts.failed), samples };
}

export function toModelResult(model: string, cases: readonly CaseResult[]): ModelResult {
  const total = (field: keyof Counts) => sum(cases.map((each) => each[field]));
  const counts = { passed: total('passed'), failed: total('failed'), errors: total('errors') };
  const judged = counts.passed + counts.failed;
  const samples = cases.flatMap((each) => each.samples);
  const costs = samples.flatMap(({ cost }) => cost ?? []);
  return {
    model,
    ...counts,
    rate: judged === 0 ? null : counts.passed / judged,
    interval: totalInterval(cases),
    cost: costs.length === 0 ? null : sum(costs),
    first_token_ms: median(samples.flatMap(({ first_token_ms: ms }) => ms ?? [])),
    tokens_per_second: median(samples.flatMap(({ tokens_per_second: speed }) => speed ?? [])),
    cases,
  };
}

/** Only the cases for which both have a verdict. */
export function differenceOf(
  first: Pick<ModelResult, 'model' | 'cases'>,
  second: Pick<ModelResult, 'model' | 'cases'>,
): Difference {
  const earlier = new Map(first.cases.map((each) => [each.name, each]));
  const pairs = second.cases.flatMap((each) => {
    const other = earlier.get(each.name);
    const [one, two] = [other && rateOf(other), rateOf(each)];
    return one && two ? [{ name: each.name, first: one, second: two }] : [];
  });
  const change = (pair: (typeof pairs)[number]) =>
    pair.second.passed / pair.second.of - pair.first.passed / pair.first.of;
  const p = signFlipTest(pairs);
  return {
    first: first.model,
    second: second.model,
    cases: pairs.length,
    difference: pairs.length === 0 ? 0 : sum(pairs.map(change)) / pairs.length,
    p,
    significant: p < SIGNIFICANT,
    better: pairs.filter((pair) => change(pair) > 0).map(({ name }) => name),
    worse: pairs.filter((pair) => change(pair) < 0).map(({ name }) => name),
  };
}

function rateOf({ passed, failed }: Counts) {
  return passed + failed === 0 ? undefined : { passed, of: passed + failed };
}

function countsOf(outcomes: readonly Outcome[]): Counts {
  const count = (wanted: Outcome) => outcomes.filter((outcome) => outcome === wanted).length;
  return { passed: count('passed'), failed: count('failed'), errors: count('error') };
}

export function median(numbers: readonly number[]): number | null {
  if (numbers.length === 0) return null;
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const at = (index: number) => sorted[index] ?? 0;
  return Number.isInteger(middle) ? (at(middle - 1) + at(middle)) / 2 : at(Math.floor(middle));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
