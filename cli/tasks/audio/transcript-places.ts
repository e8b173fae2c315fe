import { basename, dirname, extname, join } from 'node:path';
import type { TranscriptFormat } from '../../../src/api/tasks/audio-formats.ts';
import { Failure } from '../../../src/base/errors.ts';

const EXTENSIONS: Readonly<Record<TranscriptFormat, string>> = {
  ...{ json: '.json', verbose_json: '.json', text: '.txt', srt: '.srt', vtt: '.vtt' },
};

/** The file of each transcript; null for stdout. Recordings that differ only in their extension keep it in the name. */
export function placesFor(
  files: readonly string[],
  { out, format }: { out?: string; format: TranscriptFormat },
): (string | null)[] {
  if (files.length === 1) return [out ?? null];
  const place = (file: string, name: string) => join(out ?? dirname(file), name + EXTENSIONS[format]);
  const short = files.map((file) => place(file, basename(file, extname(file))));
  const places = files.map((file, index) => {
    const own = short[index] as string;
    return short.indexOf(own) === short.lastIndexOf(own) ? own : place(file, basename(file));
  });
  const taken = places.findIndex((each, index) => places.indexOf(each) !== index);
  if (taken === -1) return places;
  const [first, second] = [files[places.indexOf(places[taken] as string)], files[taken]];
  throw new Failure(
    'invalid_value',
    `${first} and ${second} would both be written to ${places[taken]}. Run two commands, each with its own --out folder.`,
  );
}
