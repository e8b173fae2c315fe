import { afterTag, damagedAudio, HEAD_BYTES, type Container } from './containers.ts';
import { Failure } from '../base/errors.ts';
import type { FileBytes } from './file-bytes.ts';
import { readMp4 } from './mp4.ts';
import { readFrameHeader } from './mpeg-frame.ts';
import { readWav } from './wav.ts';
import { webmSeconds } from './webm.ts';

/**
 * The duration that a file declares, in seconds; undefined if it declares none. Rejects truncated files, which
 * declare more data than they have.
 */
export async function declaredSeconds(file: FileBytes, container: Container): Promise<number | undefined> {
  try {
    return await readSeconds(file, container);
  } catch (error) {
    if (!PAST_THE_END.includes(String((error as NodeJS.ErrnoException).code))) throw error;
    throw damagedAudio('is truncated: its header ends too early', error);
  }
}

/** What Node throws when reading a number past the end of the bytes. */
const PAST_THE_END = ['ERR_OUT_OF_RANGE', 'ERR_BUFFER_OUT_OF_BOUNDS'];

async function readSeconds(file: FileBytes, container: Container): Promise<number | undefined> {
  if (container === 'wav') return wavSeconds(file);
  if (container === 'flac') return flacSeconds(file);
  if (container === 'mp3') return mp3Seconds(file);
  if (container === 'mp4') return (await readMp4(file)).seconds;
  if (container === 'webm') return webmSeconds(file);
  if (container.startsWith('ogg')) return oggSeconds(file, container);
  return undefined;
}

async function wavSeconds(file: FileBytes): Promise<number> {
  const { data, bytesPerSecond } = await readWav(file);
  return data.bytes / bytesPerSecond;
}

async function flacSeconds(file: FileBytes): Promise<number | undefined> {
  const header = await file.read(0, 42);
  if (header.length < 42) throw damagedAudio('is a FLAC with a truncated header');
  const rate = header.readUIntBE(18, 3) >> 4;
  const samples = (header.readUInt8(21) & 15) * 2 ** 32 + header.readUInt32BE(22);
  if (rate === 0) throw damagedAudio('is a FLAC with a sample rate of 0');
  return samples === 0 ? undefined : samples / rate;
}

async function mp3Seconds(file: FileBytes): Promise<number | undefined> {
  const tag = afterTag(await file.read(0, 10));
  const head = await file.read(tag, HEAD_BYTES);
  let at = 0;
  while (at < head.length && !readFrameHeader(head, at)) at += 1;
  const first = readFrameHeader(head, at);
  if (!first) throw damagedAudio('has an MP3 tag, but no audio after it');
  const info = at + 4 + first.sideInfoBytes;
  if (!['Xing', 'Info'].includes(head.toString('latin1', info, info + 4))) {
    return frameSeconds(file, tag + at);
  }
  const flags = head.readUInt32BE(info + 4);
  const frames = flags & 1 ? head.readUInt32BE(info + 8) : 0;
  const bytes = flags & 2 ? head.readUInt32BE(info + 8 + (flags & 1 ? 4 : 0)) : 0;
  const there = file.size - tag - at;
  if (bytes > there) throw cutOff('sound', bytes, there);
  return frames === 0 ? frameSeconds(file, tag + at) : (frames * first.samples) / first.sampleRate;
}

const WALK_BYTES = 256 * 1024;

/** If no duration is declared, the frames are counted by their headers. */
async function frameSeconds(file: FileBytes, from: number): Promise<number> {
  let seconds = 0;
  for (let start = from; start + 4 <= file.size;) {
    const block = await file.read(start, WALK_BYTES);
    let at = 0;
    while (at + 4 <= block.length) {
      const frame = readFrameHeader(block, at);
      if (frame) seconds += frame.samples / frame.sampleRate;
      at += frame?.bytes ?? 1;
    }
    start += at;
  }
  return seconds;
}

const OGG_TAIL_BYTES = 128 * 1024;
const OPUS_RATE = 48_000;

async function oggSeconds(file: FileBytes, container: Container): Promise<number | undefined> {
  const head = await file.read(0, 256);
  const body = 27 + (head[26] ?? 0);
  const isOpus = container === 'ogg-opus';
  const rate = isOpus ? OPUS_RATE : container === 'ogg-vorbis' ? head.readUInt32LE(body + 12) : 0;
  const tail = await file.read(Math.max(0, file.size - OGG_TAIL_BYTES), OGG_TAIL_BYTES);
  const last = tail.lastIndexOf('OggS');
  if (last < 0 || last + 27 > tail.length)
    throw damagedAudio('ends in the middle of an Ogg page: it is truncated');
  const lacing = tail.subarray(last + 27, last + 27 + (tail[last + 26] ?? 0));
  const end = last + 27 + lacing.length + lacing.reduce((sum, bytes) => sum + bytes, 0);
  if (end > tail.length) throw damagedAudio('ends in the middle of an Ogg page: it is truncated');
  if (rate === 0) return undefined;
  const skip = isOpus ? head.readUInt16LE(body + 10) : 0;
  return Math.max(0, Number(tail.readBigInt64LE(last + 6)) - skip) / rate;
}

export function cutOff(what: string, saysBytes: number, hasBytes: number): ReturnType<typeof damagedAudio> {
  return damagedAudio(
    `is truncated: it declares ${saysBytes} bytes of ${what} and has ${Math.max(0, hasBytes)}`,
  );
}

export function tooLong(secondsMax: number, seconds?: number): Failure {
  const what = seconds === undefined ? 'more than that' : `${Math.ceil(seconds)} s`;
  const message = `Audio can be at most ${secondsMax} s long (audio_seconds_max); this file has ${what}. Split it into parts.`;
  return new Failure('audio_too_long', message, { param: 'file' });
}
