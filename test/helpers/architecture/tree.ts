import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** The repository's own text files, by path from its root. */
export type Tree = ReadonlyMap<string, string>;

const SKIPPED = new Set(['node_modules', 'dist', 'coverage', '.git']);
const TEXT = /\.(ts|tsx|js|mjs|cjs|md)$|^package\.json$/;

export function readTree(root: string): Tree {
  const tree = new Map<string, string>();
  const walk = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const full = join(folder, entry.name);
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) walk(full);
      if (entry.isFile() && TEXT.test(entry.name)) tree.set(pathFrom(root, full), readFileSync(full, 'utf8'));
    }
  };
  walk(root);
  return tree;
}

function pathFrom(root: string, full: string): string {
  return relative(root, full).split(sep).join('/');
}
