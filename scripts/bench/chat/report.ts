import { median } from '../overhead/timing.ts';
import type { DraftRow } from './drafts.ts';
import type { Beside, Row, Size } from './rows.ts';

type SideMeasured = { name: string; threads: string; megabytes: number; beside: readonly Beside[] };

/** For each row, the result of each side in each round; empty if it was not measured. */
export type Measured = {
  size: Size;
  roundCount: number;
  rows: readonly Row[];
  sides: readonly SideMeasured[];
  rounds: readonly Record<string, readonly number[]>[];
  reuse: readonly number[];
  drafts: readonly DraftRow[];
  load: readonly number[];
};

type Line = { row: string; askd: string; peer: string; seen: string; goal: string; isReached: boolean };

const GOALS = { peer: 1, reuse: 5, memory: 1.15, gapMs: 250, speed: 0.8 };

/** Ratios are computed within a round, in which both sides had the same machine; the report shows their median. */
export function linesOf(measured: Measured): Line[] {
  const [askd, peer] = measured.sides;
  if (!askd) return [];
  return [
    ...(measured.rounds.length > 0 ? measured.rows.map((row) => peerLine(row, measured)) : []),
    ...(peer && measured.rounds.length > 0 ? [memoryLine(askd, peer)] : []),
    ...(measured.reuse.length > 0
      ? [line('second turn, against no reuse', measured.reuse, { atLeast: GOALS.reuse })]
      : []),
    ...besideLines(measured),
    ...measured.drafts.map(({ name, gains, atLeast }) => line(name, gains, { atLeast })),
  ];
}

function memoryLine(askd: SideMeasured, peer: SideMeasured): Line {
  const seen = line(`memory, askd / ${peer.name}`, [askd.megabytes / peer.megabytes], {
    atMost: GOALS.memory,
  });
  return { ...seen, askd: `${Math.round(askd.megabytes)} MB`, peer: `${Math.round(peer.megabytes)} MB` };
}

function besideLines({ size, sides: [askd, peer] }: Measured): Line[] {
  if (!askd || askd.beside.length === 0) return [];
  const beside = size.beside.toLocaleString('en');
  const others = peer && peer.beside.length > 0 ? peer : undefined;
  return [
    {
      ...line(`gap of a stream beside ${beside} tokens, p95`, gapsOf(askd), { atMost: GOALS.gapMs }, ' ms'),
      peer: others ? `${median(gapsOf(others)).toFixed(0)} ms` : '',
    },
    {
      ...line('speed of reading them, against alone', speedsOf(askd), { atLeast: GOALS.speed }),
      peer: others ? `${median(speedsOf(others)).toFixed(2)} x` : '',
    },
  ];
}

const gapsOf = ({ beside }: SideMeasured) => beside.map(({ gapMs95 }) => gapMs95);
const speedsOf = ({ beside }: SideMeasured) => beside.map(({ speed }) => speed);

function peerLine({ name, unit }: Row, { rounds, sides }: Measured): Line {
  const own = rounds.map((round) => round[name]?.[0] ?? Number.NaN);
  const show = (values: readonly number[]) => `${median(values).toFixed(unit === 'ms' ? 0 : 1)} ${unit}`;
  if (sides.length < 2) return { row: name, askd: show(own), peer: '', seen: '', goal: '', isReached: true };
  const others = rounds.map((round) => round[name]?.[1] ?? Number.NaN);
  // A round in which a side's streams never ran all together has no speed to compare.
  const ratios = own
    .map((value, round) => value / (others[round] ?? Number.NaN))
    .filter((ratio) => ratio > 0 && ratio < Infinity);
  const better = unit === 'ms' ? ratios.map((ratio) => 1 / ratio) : ratios;
  return { ...line(name, better, { atLeast: GOALS.peer }), askd: show(own), peer: show(others) };
}

type Goal = { atLeast: number } | { atMost: number };

function line(row: string, values: readonly number[], goal: Goal, unit = ' x'): Line {
  const seen = median(values);
  const [word, limit] = 'atLeast' in goal ? ['≥', goal.atLeast] : ['≤', goal.atMost];
  const isReached = 'atLeast' in goal ? seen >= goal.atLeast : seen <= goal.atMost;
  const digits = unit === ' ms' ? 0 : 2;
  return {
    ...{ row, askd: '', peer: '', isReached },
    seen: `${seen.toFixed(digits)}${unit}`,
    goal: `${word} ${limit}${unit}`,
  };
}

export function reportText(measured: Measured): string {
  const header = { row: '', askd: 'askd', peer: measured.sides[1]?.name ?? '', seen: 'seen', goal: 'goal' };
  const lines = [header, ...linesOf(measured).map((each) => ({ ...each, goal: goalText(each) }))];
  const columns = ['row', 'askd', 'peer', 'seen', 'goal'] as const;
  const widths = columns.map((column) => Math.max(...lines.map((each) => each[column].length)));
  const table = lines.map((each) =>
    columns
      .map((column, place) => each[column].padEnd(widths[place] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const threads = measured.sides.map(({ name, threads }) => `${name}: ${threads}`).join(', ');
  const load = measured.load.map((value) => value.toFixed(1)).join(' to ');
  return [...table, '', `Medians of ${measured.roundCount} rounds. Threads: ${threads}. Load ${load}.`].join(
    '\n',
  );
}

function goalText({ goal, isReached }: Line): string {
  return isReached ? goal : `${goal}, short`;
}
