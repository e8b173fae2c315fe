import { createReadStream, existsSync, statSync } from 'node:fs';

const DIGITS = 3;
const FIRST = /\.001$/;

/** `FILE.001`, `FILE.002` …, or the file itself if the archive is not split. */
export function partPath(path: string, index: number, isSplit: boolean): string {
  return isSplit ? `${path}.${String(index + 1).padStart(DIGITS, '0')}` : path;
}

/** The files of an archive, given by its path, by its first part, or without the number. */
export function findParts(path: string): string[] {
  const stem = path.replace(FIRST, '');
  if (!FIRST.test(path) && existsSync(path)) return [path];
  const parts: string[] = [];
  while (existsSync(partPath(stem, parts.length, true))) parts.push(partPath(stem, parts.length, true));
  return parts;
}

export function bytesOf(paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + statSync(path).size, 0);
}

export async function* readParts(paths: readonly string[], signal?: AbortSignal): AsyncGenerator<Buffer> {
  for (const path of paths)
    yield* createReadStream(path, {
      highWaterMark: 1024 * 1024,
      ...(signal && { signal }),
    }) as AsyncIterable<Buffer>;
}
