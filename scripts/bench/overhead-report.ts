import type { Round } from './rounds.ts';
import { SIDE_NAMES, type SideName } from './sides.ts';
import { median } from './timing.ts';

export type Measured = {
  rounds: readonly Round[];
  versionMs: readonly number[];
  idleMegabytes: number | undefined;
  threads: number;
  load: readonly number[];
};

export type Comparison = {
  label: string;
  unit: 'x' | 'ms' | 'MB';
  values: readonly number[];
  goal: { atLeast: number } | { atMost: number };
};

/**
 * Each ratio is taken inside a round, where both sides had the same machine; the result is their median. A round in
 * which the machine was too busy for a second token before the deadline has no speed to compare.
 */
export function compare({ rounds, versionMs, idleMegabytes }: Measured): Comparison[] {
  const ratio = (of: (round: Round) => [number, number]) =>
    rounds
      .map(of)
      .filter((speeds) => speeds.every((speed) => speed > 0))
      .map(([value, base]) => value / base);
  const addedFirstToken = rounds.flatMap(({ daemon, engine }) =>
    daemon.firstTokenMs.map((value, index) => value - (engine.firstTokenMs[index] ?? Number.NaN)),
  );
  return [
    {
      label: 'decode speed, daemon / engine in-process',
      unit: 'x',
      values: ratio(({ daemon, engine }) => [daemon.decode, engine.decode]),
      goal: { atLeast: 0.95 },
    },
    {
      label: 'decode speed, daemon / library defaults',
      unit: 'x',
      values: ratio(({ daemon, defaults }) => [daemon.decode, defaults.decode]),
      goal: { atLeast: 1.3 },
    },
    {
      label: 'added time to first token, daemon - engine',
      unit: 'ms',
      values: addedFirstToken,
      goal: { atMost: 5 },
    },
    {
      label: 'daemon, 4 streams / 1 stream together',
      unit: 'x',
      values: ratio(({ daemon }) => [daemon.aggregate[4], daemon.aggregate[1]]),
      goal: { atLeast: 1.3 },
    },
    {
      label: 'daemon, 8 streams / 1 stream together',
      unit: 'x',
      values: ratio(({ daemon }) => [daemon.aggregate[8], daemon.aggregate[1]]),
      goal: { atLeast: 1.5 },
    },
    { label: 'askd --version', unit: 'ms', values: versionMs, goal: { atMost: 200 } },
    {
      label: 'memory of the idle daemon',
      unit: 'MB',
      values: idleMegabytes === undefined ? [] : [idleMegabytes],
      goal: { atMost: 130 },
    },
  ];
}

export function isMet({ values, goal }: Comparison): boolean {
  return 'atLeast' in goal ? median(values) >= goal.atLeast : median(values) <= goal.atMost;
}

export function reportText(measured: Measured): string {
  const comparisons = compare(measured);
  return [
    `${measured.rounds.length} rounds, ${measured.threads} threads, load ${measured.load.map((value) => value.toFixed(1)).join(' to ')}; median (least to most)`,
    ...comparisons.map(comparisonLine),
    '',
    ...table(measured.rounds),
    '',
    ...comparisons.map(
      (comparison) => `${verdict(comparison)}  ${comparison.label}: ${goalText(comparison)}`,
    ),
  ].join('\n');
}

export function reportJson(measured: Measured) {
  const goals = compare(measured).map((comparison) => ({
    label: comparison.label,
    unit: comparison.unit,
    median: comparison.values.length === 0 ? null : median(comparison.values),
    values: comparison.values,
    goal: comparison.goal,
    verdict: verdict(comparison),
  }));
  return { ...measured, goals };
}

function comparisonLine({ label, unit, values }: Comparison): string {
  if (values.length === 0) return `  ${label.padEnd(46)} not measured`;
  const shown = (value: number) => value.toFixed(unit === 'x' ? 2 : 1);
  const spread = values.length > 1 ? ` (${shown(Math.min(...values))} to ${shown(Math.max(...values))})` : '';
  return `  ${label.padEnd(46)} ${shown(median(values)).padStart(8)} ${unit.padEnd(2)}${spread}`;
}

function table(rounds: readonly Round[]): string[] {
  const rows: [label: string, value: (round: Round, side: SideName) => number][] = [
    ['time to first token, ms', (round, side) => median(round[side].firstTokenMs)],
    ['decode of 1 stream, tokens/s', (round, side) => round[side].decode],
    ['1 stream, tokens/s', (round, side) => round[side].aggregate[1]],
    ['4 streams together, tokens/s', (round, side) => round[side].aggregate[4]],
    ['8 streams together, tokens/s', (round, side) => round[side].aggregate[8]],
  ];
  const line = (label: string, cells: readonly string[]) =>
    `  ${label.padEnd(30)}${cells.map((cell) => cell.padStart(12)).join('')}`;
  return [
    line('', SIDE_NAMES),
    ...rows.map(([label, value]) =>
      line(
        label,
        SIDE_NAMES.map((side) => median(rounds.map((round) => value(round, side))).toFixed(1)),
      ),
    ),
  ];
}

function verdict(comparison: Comparison): 'PASS' | 'short' | 'skip' {
  if (comparison.values.length === 0) return 'skip';
  return isMet(comparison) ? 'PASS' : 'short';
}

function goalText({ unit, values, goal }: Comparison): string {
  const [word, limit] = 'atLeast' in goal ? ['at least', goal.atLeast] : ['at most', goal.atMost];
  const seen = values.length === 0 ? 'not measured' : median(values).toFixed(2);
  return `${seen}, goal ${word} ${limit} ${unit}`;
}
