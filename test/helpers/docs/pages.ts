import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The pages for readers of the repository, as paths from its root. */
export const PAGES: readonly string[] = [
  'README.md',
  ...readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => path.join('docs', file)),
];

/** Further pages: their links must lead to files, and their commands must exist. */
export const OTHER_PAGES: readonly string[] = [
  'ARCHITECTURE.md',
  'BENCHMARKS.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'THIRD_PARTY.md',
  'examples/README.md',
  'models/starter/README.md',
];

export type Block = {
  page: string;
  line: number;
  language: string;
  code: string;
  /** From a comment above it: `<!-- not run: why -->`. */
  notRun?: string;
};

export function textOf(page: string): string {
  return readFileSync(path.join(ROOT, page), 'utf8');
}

export function blocksOf(page: string): Block[] {
  const text = textOf(page);
  const found = text.matchAll(/(?:^<!-- not run: (.+) -->\n\n?)?^```(\w+)\n([^]*?)^```$/gm);
  return [...found].map(({ 1: notRun, 2: language = '', 3: code = '', index }) => ({
    page,
    line: text.slice(0, index).split('\n').length,
    language,
    code,
    ...(notRun !== undefined && { notRun }),
  }));
}
