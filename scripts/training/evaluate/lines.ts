import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { packagedFile } from '../../../src/base/paths.ts';

/** One thing to ask, and what to expect. */
export type Line = {
  skill: string;
  input?: string;
  messages?: readonly { role: string; content: string }[];
  documents?: readonly string[];
  expect?: unknown;
  check?: string;
};

/** All lines of `scripts/training/eval`. Training sees none of them. */
export async function readLines(): Promise<Line[]> {
  const folder = packagedFile('scripts/training/eval');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.jsonl')).sort();
  const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')));
  return texts.flatMap((text) =>
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line),
  );
}
