import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { SPEECH_FORMATS, type SpeechFormat } from '../../src/api/audio-formats.ts';
import { Failure } from '../../src/errors.ts';
import type { Context } from '../context.ts';
import { startPlayer } from './player.ts';

type Options = {
  model: string;
  voice: string;
  format?: SpeechFormat;
  speed?: number;
  out?: string;
  play?: boolean;
};

export async function speakText(context: Context, text: string, options: Options): Promise<void> {
  const { output, io } = context;
  const { model, voice, speed = 1, out } = options;
  if (out === undefined && !options.play && io.stdout.isTTY) {
    throw new Failure('missing_required_parameter', 'Sound is nothing for a terminal.', {
      details: { fix: 'add --play, or --out speech.mp3' },
    });
  }
  const format = formatOf(options);
  const player = options.play && out === undefined ? await startPlayer() : undefined;
  const client = await context.connect('inference');
  const body = { model, input: text, voice, speed, response_format: player ? ('wav' as const) : format };
  const sound = client.sound.speech(body);
  if (player) return player(sound);
  if (out === undefined) return pipeTo(sound, io.stdout);
  const bytes = await writeSound(out, sound, format);
  output.result({ schema: 'speak/1', model, voice, format, out, bytes }, () => out);
  if (options.play) await (await startPlayer())(client.sound.speech({ ...body, response_format: 'wav' }));
}

/** Said by a flag, or by the name of the file. */
function formatOf({ format, out }: Options): SpeechFormat {
  if (format !== undefined || out === undefined) return format ?? 'mp3';
  const name = extname(out).slice(1).toLowerCase();
  const known = { ogg: 'opus', ...Object.fromEntries(SPEECH_FORMATS.map((each) => [each, each])) } as Record<
    string,
    SpeechFormat
  >;
  const found = known[name];
  if (found) return found;
  throw new Failure('invalid_value', `"${out}" does not say in which format the sound is wanted.`, {
    details: { fix: `give it an ending of ${SPEECH_FORMATS.join(', ')}, or add --format` },
  });
}

async function pipeTo(sound: AsyncIterable<Buffer>, stream: NodeJS.WritableStream): Promise<void> {
  for await (const chunk of sound) {
    if (!stream.write(chunk)) await new Promise((resolve) => stream.once('drain', resolve));
  }
}

/** The file has its name when it is whole. */
async function writeSound(out: string, sound: AsyncIterable<Buffer>, format: SpeechFormat): Promise<number> {
  const unfinished = `${out}.part`;
  const file = createWriteStream(unfinished);
  try {
    await pipeline(Readable.from(sound), file);
    if (format === 'wav') await completeWav(unfinished, file.bytesWritten);
    await rename(unfinished, out);
    return file.bytesWritten;
  } catch (error) {
    file.destroy();
    await finished(file).catch(() => undefined);
    await rm(unfinished, { force: true });
    throw error;
  }
}

/** A stream of WAV does not say how long it is; a file can. */
async function completeWav(path: string, bytes: number): Promise<void> {
  const file = await open(path, 'r+');
  try {
    const size = Buffer.alloc(4);
    size.writeUInt32LE(bytes - 8);
    await file.write(size, 0, 4, 4);
    size.writeUInt32LE(bytes - 44);
    await file.write(size, 0, 4, 40);
  } finally {
    await file.close();
  }
}
