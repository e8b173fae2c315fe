import { existsSync } from 'node:fs';
import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { TranscriptEvent } from '../../../src/api/tasks/audio.ts';
import type { TranscriptFormat } from '../../../src/api/tasks/audio-formats.ts';
import { Failure } from '../../../src/base/errors.ts';
import type { Client } from '../../client/client.ts';
import type { Context } from '../../context.ts';
import { createSoundProgress } from './progress.ts';
import { placesFor } from './transcript-places.ts';

type Options = {
  model: string;
  format: TranscriptFormat;
  out?: string;
  language?: string;
  prompt?: string;
  translate?: boolean;
  words?: boolean;
  again?: boolean;
};

type Job = { context: Context; client: Client; files: readonly string[]; options: Options };

/** `out` is null for stdout; `text` is absent for an existing transcript. */
export type FileResult = {
  file: string;
  out: string | null;
  skipped: boolean;
  seconds: number | null;
  text?: string;
};

/** One file after another. Each transcript gets its name only when it is complete. */
export async function transcribeFiles({ context, client, files, options }: Job): Promise<FileResult[]> {
  await Promise.all(files.map(checkFile));
  const places = placesFor(files, options);
  const results: FileResult[] = [];
  for (const [index, file] of files.entries()) {
    const out = places[index] ?? null;
    if (out !== null && files.length > 1 && !options.again && existsSync(out)) {
      context.output.note(`${file}: already transcribed in ${out}`);
      results.push({ file, out, skipped: true, seconds: null });
      continue;
    }
    const label = files.length > 1 ? `${file} (${index + 1} of ${files.length})` : file;
    const { content, seconds } = await transcribeOne({ context, client, options }, file, label);
    if (out !== null) {
      await writeWhole(out, content);
      context.output.note(`${file}: ${out}`);
    }
    results.push({ file, out, skipped: false, seconds, text: content });
  }
  return results;
}

async function checkFile(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile()) return;
  throw new Failure('not_found', `There is no file ${file}.`);
}

async function transcribeOne(
  { context, client, options }: Omit<Job, 'files'>,
  file: string,
  label: string,
): Promise<{ content: string; seconds: number }> {
  const { model, format, language, prompt, translate = false, words } = options;
  const fields = {
    ...{ model, response_format: format, stream: 'true' },
    ...(language !== undefined && !translate && { language }),
    ...(prompt !== undefined && { prompt }),
    ...(words && { 'timestamp_granularities[]': ['word', 'segment'] }),
  };
  const progress = createSoundProgress(context, label);
  try {
    for await (const event of client.sound.transcriptEvents({ file, fields }, translate)) {
      if (event.type === 'transcript.progress') progress.show(event.seconds, event.total);
      if (event.type === 'transcript.text.done')
        return { content: contentOf(event, format), seconds: event.usage.seconds };
    }
  } finally {
    progress.end();
  }
  throw new Failure('daemon_unreachable', 'The connection closed before the transcript was complete.', {
    details: { fix: 'try again; askd logs shows the reason' },
  });
}

function contentOf(
  event: Extract<TranscriptEvent, { type: 'transcript.text.done' }>,
  format: TranscriptFormat,
): string {
  if (format === 'verbose_json') return `${JSON.stringify(event.transcription, null, 2)}\n`;
  if (format === 'json') return `${JSON.stringify({ text: event.text, usage: event.usage }, null, 2)}\n`;
  return event.text;
}

async function writeWhole(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const unfinished = `${path}.part`;
  await writeFile(unfinished, content);
  await rename(unfinished, path);
}
