import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type Outcome = 'answered' | 'refused' | 'crashed' | 'failed';
export type Finding = { index: number; what: string; file: string };
export type Tally = Record<Outcome, number> & {
  findings: Finding[];
  slowestMs: number;
  daemonBytes: number;
  runnerBytes: number;
};

export function emptyTally(): Tally {
  return {
    ...{ answered: 0, refused: 0, crashed: 0, failed: 0 },
    ...{ findings: [], slowestMs: 0, daemonBytes: 0, runnerBytes: 0 },
  };
}

export function save(keep: string, name: string, file: Buffer): string {
  mkdirSync(keep, { recursive: true });
  const path = join(keep, name);
  writeFileSync(path, file);
  return path;
}
