/** One measurement, compared with its goal if it has one. */
export type Figure = {
  label: string;
  unit: 'x' | 'ms' | 's' | '/s' | 'MB' | 'n' | '%' | 'KB/s';
  value: number;
  goal?: { atMost: number } | { atLeast: number };
};

export function reportLines(figures: readonly Figure[]): string[] {
  return figures.map((figure) => {
    const { label, unit, value } = figure;
    const isLarge = (unit === '/s' || unit === 'MB') && value >= 10;
    const shown = value.toFixed(isLarge ? 0 : 2);
    return `${verdict(figure).padEnd(6)}${label.padEnd(66)}${shown.padStart(9)} ${unit}${goalText(figure)}`;
  });
}

function goalText({ goal, unit }: Figure): string {
  if (goal === undefined) return '';
  return 'atMost' in goal ? `, at most ${goal.atMost} ${unit}` : `, at least ${goal.atLeast} ${unit}`;
}

export function verdict({ value, goal }: Figure): 'PASS' | 'short' | '' {
  if (goal === undefined) return '';
  const isMet = 'atMost' in goal ? value <= goal.atMost : value >= goal.atLeast;
  return isMet ? 'PASS' : 'short';
}

/** The percentile of the values, by nearest rank. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
