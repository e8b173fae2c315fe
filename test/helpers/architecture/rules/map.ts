import { FLOORS, floorOf, LEAVES, type Floor } from '../floors.ts';
import type { Finding, Project } from '../project.ts';

const PATH = 'ARCHITECTURE.md';

/** The table of floors in ARCHITECTURE.md (floor, today, may import, …) agrees with the code. */
export function map({ tree, modules }: Project): Finding[] {
  const rows = (tree.get(PATH) ?? '').split('\n').map((row) => row.split('|').map((cell) => cell.trim()));
  const existing = new Set([...modules.keys()].map((path) => floorOf(path)?.floor));
  return FLOORS.flatMap((floor) => {
    const index = rows.findIndex(([, name]) => name === `\`${floor.floor}\``);
    const truth = [
      '',
      `\`${floor.floor}\``,
      existing.has(floor.floor) ? 'yes' : 'not yet',
      importsInWords(floor),
    ];
    const row = rows[index];
    if (row !== undefined && truth.every((cell, column) => cell === row[column])) return [];
    const problem = `the table of floors is wrong about ${floor.floor}`;
    return [
      { path: PATH, line: index + 1 || 1, problem, instead: `Its row begins ${truth.join(' | ').trim()} |` },
    ];
  });
}

function importsInWords({ floor, mayImport }: Floor): string {
  const leaves = LEAVES.includes(floor) ? [] : LEAVES;
  const named = mayImport.filter((entry) => !leaves.includes(entry));
  const words = named.map((entry) => (entry === '**' ? 'anything' : `\`${entry}\``));
  if (named.length < mayImport.length) words.push('leaves');
  return words.join(' ') || 'nothing';
}
