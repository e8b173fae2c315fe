import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import type { SpeechFormat } from '../../../src/api/tasks/audio-formats.ts';
import { WAV_HEADER_BYTES, wavHeader } from '../../../src/base/wav-header.ts';

export type Sound = AsyncIterable<Buffer>;

const PCM_RATE = 24_000;

/** The file gets its name when it is complete. */
export async function writeSound(out: string, sound: Sound, format: SpeechFormat): Promise<number> {
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

/** A WAV stream does not state its length, but a file can. */
async function completeWav(path: string, bytes: number): Promise<void> {
  const file = await open(path, 'r+');
  try {
    const size = Buffer.alloc(4);
    size.writeUInt32LE(bytes - 8);
    await file.write(size, 0, 4, 4);
    size.writeUInt32LE(bytes - WAV_HEADER_BYTES);
    await file.write(size, 0, 4, WAV_HEADER_BYTES - 4);
  } finally {
    await file.close();
  }
}

/** Adds or removes the WAV header for a player. */
export async function* asFormat(
  sound: Buffer,
  { from, to }: { from: SpeechFormat; to: SpeechFormat },
): Sound {
  if (from === 'pcm' && to === 'wav') yield wavHeader(PCM_RATE, sound.length);
  yield from === 'wav' && to === 'pcm' ? sound.subarray(WAV_HEADER_BYTES) : sound;
}
