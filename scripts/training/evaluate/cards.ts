import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { packagedFile } from '../../../src/base/paths.ts';
import type { Row } from './table.ts';

/** Writes the measurements into the card of each model. */
export async function writeToCards(rows: readonly Row[]): Promise<void> {
  for (const model of new Set(rows.map((row) => row.model))) {
    const file = packagedFile(`models/starter/${model}/card.json`);
    if (!existsSync(file)) continue;
    const card = JSON.parse(await readFile(file, 'utf8')) as { facts: Record<string, string> };
    card.facts['measured'] = rows
      .filter((row) => row.model === model)
      .map(({ skill, measure, score, baseline, baselineName }) =>
        [`${skill}: ${measure} ${score.toFixed(2)}`, `(${baselineName} ${baseline.toFixed(2)})`].join(' '),
      )
      .join('; ');
    await writeFile(file, `${JSON.stringify(card, null, 2)}\n`);
  }
}
