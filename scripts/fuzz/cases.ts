import { ARCHIVES } from './archives.ts';
import type { Format } from './format.ts';
import { MEDIA } from './media.ts';
import { MODELS } from './models.ts';
import { createRandom } from './random.ts';
import { SCHEMAS } from './schemas.ts';

export const FORMATS: readonly Format[] = [...MODELS, ...MEDIA, ...ARCHIVES, ...SCHEMAS];

export function formatOf(name: string): Format {
  const found = FORMATS.find((format) => format.name === name);
  if (found === undefined) throw new Error(`There is no format ${name}`);
  return found;
}

export type Case = { format: Format; seed: string | number; index: number; seeds: readonly Buffer[] };

/** Each case depends only on the seed and its number. */
export function caseOf({ format, seed, index, seeds }: Case): Buffer {
  const random = createRandom(seed, format.name, index);
  return format.mutate(random.pick(seeds), random, random.pick(seeds));
}
