export type Row = {
  /** The folder of `models/starter`. */
  model: string;
  skill: string;
  measure: string;
  count: number;
  score: number;
  baseline: number;
  baselineName: string;
};

const PLACES = 2;

export function share<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  return items.filter(holds).length / Math.max(1, items.length);
}

export function tableOf(rows: readonly Row[]): string {
  const cells = rows.map(({ skill, measure, count, score, baseline, baselineName }) => [
    skill,
    measure,
    String(count),
    score.toFixed(PLACES),
    `${baseline.toFixed(PLACES)} ${baselineName}`,
  ]);
  const table = [['skill', 'measure', 'asked', 'score', 'without a model'], ...cells];
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(table[0] ?? []), rule, ...table.slice(1).map(line)].join('\n');
}
