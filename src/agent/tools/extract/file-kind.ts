import { basename, extname } from 'node:path';

export type DocumentKind = 'html' | 'pdf' | 'text' | 'code';

const KINDS: Readonly<Record<string, DocumentKind>> = {
  '.pdf': 'pdf',
  '.html': 'html',
  '.htm': 'html',
  '.xhtml': 'html',
  ...Object.fromEntries(
    ['md', 'markdown', 'txt', 'text', 'rst', 'adoc', 'org', 'tex', 'csv', 'log'].map(
      (end) => [`.${end}`, 'text'] as const,
    ),
  ),
  ...Object.fromEntries(
    (
      'ts tsx js jsx mjs cjs json py rb go rs java kt c h cpp hpp cc cs php swift scala sh bash zsh sql css scss yaml yml ' +
      'toml ini cfg xml proto lua pl r jl ex exs erl hs ml clj dart vue svelte zig nim gradle cmake tf'
    )
      .split(' ')
      .map((end) => [`.${end}`, 'code'] as const),
  ),
};

/** The kind of a file by its extension; undefined for files without text. */
export function kindOfFile(path: string): DocumentKind | undefined {
  const name = basename(path).toLowerCase();
  if (['readme', 'license', 'makefile', 'dockerfile', 'changelog'].includes(name)) return 'text';
  return KINDS[extname(name)];
}
