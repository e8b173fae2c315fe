import { existsSync, statSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import type { ImageFormat } from '../../../src/api/tasks/images.ts';
import { Failure } from '../../../src/base/errors.ts';

/** Where an image goes: to stdout, or to a file whose name may depend on the seed. */
export type PictureTarget = {
  format: ImageFormat;
  /** Undefined for stdout. */
  pathFor: (seed: number) => string | undefined;
};

const FORMATS: Record<string, ImageFormat> = {
  '.png': 'png',
  '.jpg': 'jpeg',
  '.jpeg': 'jpeg',
  '.webp': 'webp',
};
const NAME_LENGTH_MAX = 40;

/** `out` is a file with an extension, a folder, `-`, or absent; then the name is derived from the prompt. */
export function pictureTarget(
  out: string | undefined,
  { prompt, cwd }: { prompt: string; cwd: string },
): PictureTarget {
  if (out === '-') return { format: 'png', pathFor: () => undefined };
  const path = resolve(cwd, out ?? '.');
  const isFolder = out === undefined || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isFolder) return { format: 'png', pathFor: (seed) => freePath(path, `${nameOf(prompt)}-${seed}`) };
  const format = FORMATS[extname(path).toLowerCase()];
  if (format === undefined) {
    const endings = Object.keys(FORMATS).join(', ');
    throw new Failure('invalid_value', `The name of an image must end in ${endings}; "${out}" does not.`);
  }
  return { format, pathFor: () => path };
}

export function nameOf(prompt: string): string {
  const words = prompt.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const name = words.join('-').slice(0, NAME_LENGTH_MAX).replace(/-$/, '');
  return name === '' ? 'picture' : name;
}

/** Never the name of an existing file. */
function freePath(folder: string, name: string): string {
  for (let count = 1; ; count++) {
    const path = join(folder, `${name}${count === 1 ? '' : `-${count}`}.png`);
    if (!existsSync(path)) return path;
  }
}
