import type { Round, Sample } from './rounds.ts';
import { SIDE_NAMES, type SideName } from './sides.ts';
import { median } from './timing.ts';

export type ModelName = 'tiny' | 'synthetic';

export type Measured = {
  model: ModelName;
  rounds: readonly Round[];
  versionMs: readonly number[];
  idleMegabytes: number | undefined;
  threads: Record<SideName, number>;
  cores: number;
  /** The machine's load average before and after. */
  load: readonly number[];
};

export type Comparison = {
  label: string;
  unit: 'x' | 'ms' | 'MB';
  values: readonly number[];
  goal: { atLeast: number } | { atMost: number };
};

/**
 * Each ratio is computed within a round, in which both sides had the same machine; the result is their median. A
 * round in which the machine was too busy for a second token before the deadline has no speed to compare.
 */
export function compare(measured: Measured): Comparison[] {
  const added: Comparison = {
    label: 'added time to first token, daemon - engine',
    unit: 'ms',
    values: measured.rounds.flatMap(addedFirstTokenMs),
    goal: { atMost: 5 },
  };
  return measured.model === 'tiny'
    ? [added]
    : [...compareSpeeds(measured), added, ...compareFootprint(measured)];
}

function compareSpeeds({ rounds }: Measured): Comparison[] {
  const ratio = (of: (round: Round) => [number, number]) =>
    rounds
      .map(of)
      .filter((speeds) => speeds.every((speed) => speed > 0))
      .map(([value, base]) => value / base);
  const speedOf = (side: SideName, round: Round, streams: 1 | 4 | 8 = 1) =>
    round[side].tokensPerSecond[streams];
  return [
    {
      label: 'decode speed, daemon / engine in-process',
      unit: 'x',
      values: ratio((round) => [speedOf('daemon', round), speedOf('engine', round)]),
      goal: { atLeast: 0.95 },
    },
    {
      label: 'decode speed, daemon / library defaults',
      unit: 'x',
      values: ratio((round) => [speedOf('daemon', round), speedOf('defaults', round)]),
      goal: { atLeast: 1.3 },
    },
    {
      label: 'daemon, 4 streams together / 1 stream',
      unit: 'x',
      values: ratio((round) => [speedOf('daemon', round, 4), speedOf('daemon', round)]),
      goal: { atLeast: 1.3 },
    },
    {
      label: 'daemon, 8 streams together / 1 stream',
      unit: 'x',
      values: ratio((round) => [speedOf('daemon', round, 8), speedOf('daemon', round)]),
      goal: { atLeast: 1.5 },
    },
  ];
}

function compareFootprint({ versionMs, idleMegabytes }: Measured): Comparison[] {
  return [
    { label: 'askd --version', unit: 'ms', values: versionMs, goal: { atMost: 200 } },
    {
      label: 'memory of the idle daemon',
      unit: 'MB',
      values: idleMegabytes === undefined ? [] : [idleMegabytes],
      goal: { atMost: 130 },
    },
  ];
}

function addedFirstTokenMs({ daemon, engine }: Round): number[] {
  return daemon.firstTokenMs.flatMap((value, index) => {
    const base = engine.firstTokenMs[index];
    return value === undefined || base === undefined ? [] : [value - base];
  });
}

function isMet({ values, goal }: Comparison): boolean {
  return 'atLeast' in goal ? median(values) >= goal.atLeast : median(values) <= goal.atMost;
}

export function reportText(measured: Measured): string {
  const comparisons = compare(measured);
  const load = measured.load.map((value) => value.toFixed(1)).join(' to ');
  return [
    `${measured.model} model: ${measured.rounds.length} rounds on ${measured.cores} cores, load ${load}; median (least to most)`,
    ...comparisons.map(comparisonLine),
    '',
    ...table(measured),
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
  if (values.length === 0) return `  ${label.padEnd(46)} nothing to compare`;
  const shown = (value: number) => value.toFixed(unit === 'x' ? 2 : 1);
  const spread = values.length > 1 ? ` (${shown(Math.min(...values))} to ${shown(Math.max(...values))})` : '';
  return `  ${label.padEnd(46)} ${shown(median(values)).padStart(8)} ${unit.padEnd(2)}${spread}, ${values.length} times`;
}

function table({ rounds, threads }: Measured): string[] {
  const rows: [label: string, values: (sample: Sample) => (number | undefined)[]][] = [
    ['time to first token, ms', (sample) => sample.firstTokenMs],
    ['1 stream, tokens/s', (sample) => [sample.tokensPerSecond[1]]],
    ['4 streams together, tokens/s', (sample) => [sample.tokensPerSecond[4]]],
    ['8 streams together, tokens/s', (sample) => [sample.tokensPerSecond[8]]],
  ];
  const line = (label: string, cells: readonly string[]) =>
    `  ${label.padEnd(30)}${cells.map((cell) => cell.padStart(12)).join('')}`;
  const cell = (values: (sample: Sample) => (number | undefined)[], side: SideName) => {
    const seen = rounds.flatMap((round) => values(round[side])).filter((value) => value !== undefined);
    return seen.length === 0 ? '-' : median(seen).toFixed(1);
  };
  return [
    line('', SIDE_NAMES),
    line(
      'threads',
      SIDE_NAMES.map((side) => String(threads[side])),
    ),
    ...rows.map(([label, values]) =>
      line(
        label,
        SIDE_NAMES.map((side) => cell(values, side)),
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
  const seen = values.length === 0 ? 'nothing to compare' : median(values).toFixed(unit === 'x' ? 3 : 1);
  return `${seen}, goal ${word} ${limit} ${unit}`;
}
