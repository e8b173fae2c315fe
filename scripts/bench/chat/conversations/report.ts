import { median } from '../../overhead/timing.ts';

/** One row of one round, by side. */
export type Round = { row: string; ms: Record<string, number> };

/** How many times as fast as with the cache off, and as llama-server. */
const GOALS = { plain: 5, peer: 1 } as const;
const NAMES = { plain: 'no cache', peer: 'llama-server' } as const;

export type Line = {
  row: string;
  peer: string;
  goal: string;
  seen: string;
  spread: string;
  cachedMs: string;
  peerMs: string;
};

/** Ratios are computed within a round, in which all sides had the same machine; the report shows their median. */
export function linesOf(measured: readonly Round[]): Line[] {
  const rows = [...new Set(measured.map(({ row }) => row))];
  return rows.flatMap((row) => {
    const rounds = measured.filter((round) => round.row === row).map(({ ms }) => ms);
    return (['plain', 'peer'] as const).flatMap((side) => {
      const ratios = rounds.map((ms) => (ms[side] ?? Number.NaN) / (ms['cached'] ?? Number.NaN));
      if (ratios.some(Number.isNaN)) return [];
      const goal = row === 'gap' ? '' : `≥ ${GOALS[side]}${median(ratios) >= GOALS[side] ? '' : ', short'}`;
      return [
        {
          row: row === 'gap' ? 'longest gap of a stream beside turns' : `${row}: first token of a next turn`,
          ...{ peer: NAMES[side], goal, seen: `${median(ratios).toFixed(2)} x` },
          spread: `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`,
          cachedMs: `${median(rounds.map((ms) => ms['cached'] ?? Number.NaN)).toFixed(0)} ms`,
          peerMs: `${median(rounds.map((ms) => ms[side] ?? Number.NaN)).toFixed(0)} ms`,
        },
      ];
    });
  });
}

export function reportText(measured: readonly Round[]): string {
  const header = {
    row: 'row',
    peer: 'peer',
    goal: 'goal',
    seen: 'seen',
    spread: 'spread',
    cachedMs: 'askd',
    peerMs: 'peer',
  };
  const lines = [header, ...linesOf(measured)];
  const columns = ['row', 'peer', 'goal', 'seen', 'spread', 'cachedMs', 'peerMs'] as const;
  const widths = columns.map((column) => Math.max(...lines.map((line) => line[column].length)));
  return lines
    .map((line) =>
      columns
        .map((column, place) => line[column].padEnd(widths[place] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
