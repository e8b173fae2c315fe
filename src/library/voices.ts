import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../base/errors.ts';

/** For each voice of the contract, the Kokoro voices that resemble it most, best first. */
const LIKE: Readonly<Record<string, readonly string[]>> = {
  alloy: ['af_alloy'],
  echo: ['am_echo'],
  fable: ['bm_fable'],
  onyx: ['am_onyx'],
  nova: ['af_nova'],
  shimmer: ['af_shimmer', 'af_bella', 'af_sky'],
};

/** Maps the voices of the contract to those of a folder. */
export function findVoices(path: string): Record<string, string> {
  const folder = join(path, 'voices');
  const files = existsSync(folder) ? readdirSync(folder).toSorted() : [];
  const own = files.filter((file) => file.endsWith('.bin')).map((file) => file.slice(0, -'.bin'.length));
  const [any] = own.filter((voice) => /^[ab][fm]_/.test(voice));
  if (any === undefined) {
    const message = `${path} has no English voice, such as voices/af_NAME.bin.`;
    throw new Failure('invalid_model_file', message, { param: 'path' });
  }
  const entries = Object.entries(LIKE).map(([name, likes]) => [
    name,
    likes.find((like) => own.includes(like)) ?? any,
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
}
