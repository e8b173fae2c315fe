import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import type { SpeechFormat } from '../../src/api/audio-formats.ts';

export type Sound = AsyncIterable<Buffer>;

/** The file has its name when it is whole. */
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
