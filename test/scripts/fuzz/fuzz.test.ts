import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { caseOf, FORMATS } from '../../../scripts/fuzz/cases.ts';
import { parseAll } from '../../../scripts/fuzz/parse.ts';
import { PARSERS } from '../../../scripts/fuzz/parsers.ts';

const PARSED = FORMATS.filter(({ name }) => PARSERS[name] !== undefined);
/** A few of the cases that `npm run fuzz` runs by the thousand. */
const CASES = 12;

test.each(PARSED)(
  'mutated files in $name are read or refused, and crash nothing',
  { timeout: 900_000 },
  async (format) => {
    const keep = mkdtempSync(join(tmpdir(), 'askd-fuzz-kept-'));
    onTestFinished(() => rmSync(keep, { recursive: true }));
    const run = { format, seed: 'npm test', from: 0, count: CASES, lanes: 1, keep };
    const { findings, answered, refused, crashed } = await parseAll(run);
    expect(findings.map(({ index, what }) => `${format.name}, case ${index}: ${what}`)).toEqual([]);
    expect(answered + refused + crashed).toBe(CASES);
  },
);

test.each(PARSED)(
  'a case of $name is the same each time, and differs from the next',
  { timeout: 300_000 },
  async (format) => {
    const seeds = await format.seeds();
    const make = (index: number) => caseOf({ format, seed: 1, index, seeds });
    expect(make(3).equals(make(3))).toBe(true);
    const cases = Array.from({ length: 8 }, (_, index) => make(index).toString('latin1'));
    expect(new Set(cases).size).toBeGreaterThan(6);
  },
);
