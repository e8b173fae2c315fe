import { existsSync } from 'node:fs';

const FIRST = /-00001-of-(\d{5})\.gguf$/i;
const LATER = /-\d{5}-of-\d{5}\.gguf$/i;

export function isFirstShard(path: string): boolean {
  return FIRST.test(path);
}

/** Any part of a split model; for the first one, check `isFirstShard` before. */
export function isLaterShard(path: string): boolean {
  return LATER.test(path);
}

/** All parts of a split model, or the file itself. */
export function shardsOf(path: string): string[] {
  const [, total] = FIRST.exec(path) ?? [];
  if (total === undefined) return [path];
  const stem = path.replace(FIRST, '');
  const extension = path.slice(path.lastIndexOf('.'));
  return Array.from(
    { length: Number(total) },
    (_, index) => `${stem}-${String(index + 1).padStart(5, '0')}-of-${total}${extension}`,
  );
}

export function missingShard(path: string): string | undefined {
  return shardsOf(path).find((shard) => !existsSync(shard));
}
