import { isAbsolute, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sanitiseLine } from '../../output/sanitise.ts';

export type Place = { url: string; line?: number | undefined; page?: number | undefined };

/**
 * Where a source is, for people and for programs that detect places in text: `docs/guide.md:42`. Paths below the
 * current folder are relative to it.
 */
export function placeOf({ url, line, page }: Place, folder = process.cwd()): string {
  const path = pathOf(url);
  if (path === undefined) return sanitiseLine(url);
  const below = relative(folder, path);
  const isBelow = below !== '' && !below.startsWith('..') && !isAbsolute(below);
  const name = sanitiseLine(isBelow ? below : path);
  if (page !== undefined) return `${name} (page ${page})`;
  return line === undefined ? name : `${name}:${line}`;
}

/** The same as a URL. Editors and browsers take its last part as the line or the page; others ignore it. */
export function addressOf({ url, line, page }: Place): string {
  if (pathOf(url) === undefined) return url;
  if (page !== undefined) return `${url}#page=${page}`;
  return line === undefined ? url : `${url}#${line}`;
}

function pathOf(url: string): string | undefined {
  try {
    return url.startsWith('file:') ? fileURLToPath(url) : undefined;
  } catch {
    return undefined;
  }
}
