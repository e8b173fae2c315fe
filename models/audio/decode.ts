import { createReadStream } from 'node:fs';
import { damagedAudio, type Container } from '../../src/audio/containers.ts';
import { withFile } from '../../src/audio/file-bytes.ts';
import { readMp4, shiftOffsets } from '../../src/audio/mp4.ts';
import { createResampler, toMono, type Resampler } from '../../src/audio/resample.ts';
import { readWav, wavHeader } from '../../src/audio/wav.ts';
import { createSoundDemuxer } from './program-stream.ts';

type Decoded = { channelData: readonly Float32Array[]; sampleRate: number };
type StreamDecoder = { (chunk: Uint8Array): Promise<Decoded>; (): Promise<Decoded>; free(): void };
type Decoders = Record<string, () => Promise<StreamDecoder>>;

const DECODERS: Record<Container, string> = {
  wav: 'wav',
  mp3: 'mp3',
  mpeg: 'mp3',
  flac: 'flac',
  'ogg-opus': 'opus',
  'ogg-vorbis': 'oga',
  'ogg-flac': 'flac',
  mp4: 'mp4',
  webm: 'mkv',
  aac: 'aac',
};

const RATE_MIN = 2000;
const RATE_MAX = 768_000;

export type DecodeOptions = { path: string; container: Container; rate: number; signal?: AbortSignal };

/**
 * Decodes a file to mono at the requested rate, block by block, so memory does not grow with its length. Some of
 * these decoders are under the GPL, so this runs only in runner processes.
 */
export async function* decodeFile({
  path,
  container,
  rate,
  signal,
}: DecodeOptions): AsyncGenerator<Float32Array> {
  const { default: decoders } = (await import('audio-decode')) as unknown as { default: Decoders };
  const open = decoders[DECODERS[container]];
  if (!open) throw new Error(`There is no decoder for ${container}`);
  const decoder = await open();
  let resampler: Resampler | undefined;
  let sourceRate: number | undefined;

  function convert({ channelData, sampleRate }: Decoded): Float32Array {
    if (channelData.length === 0) return new Float32Array();
    if (sampleRate !== sourceRate) {
      if (sampleRate < RATE_MIN || sampleRate > RATE_MAX) {
        throw damagedAudio(`has a sample rate of ${sampleRate} Hz, which is not valid`);
      }
      resampler = createResampler(sampleRate, rate);
      sourceRate = sampleRate;
    }
    return (resampler as Resampler).push(toMono(channelData));
  }

  try {
    for await (const chunk of readChunks(path, container)) {
      signal?.throwIfAborted();
      const block = convert(await reading(() => decoder(chunk)));
      if (block.length > 0) yield block;
    }
    yield convert(await reading(() => decoder()));
    if (resampler) yield resampler.end();
  } finally {
    decoder.free();
  }
}

/** An exception in a decoder means that the file is broken. */
async function reading<Result>(decode: () => Promise<Result>): Promise<Result> {
  try {
    return await decode();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw damagedAudio(`cannot be decoded: ${reason}`, cause);
  }
}

async function* readChunks(path: string, container: Container): AsyncGenerator<Uint8Array, undefined> {
  if (container === 'mp4') return yield* descriptionFirst(path);
  if (container === 'wav') return yield* soundOfWav(path);
  if (container !== 'mpeg') return yield* bytesOf(path);
  const demuxer = createSoundDemuxer();
  for await (const chunk of bytesOf(path)) yield* demuxer.push(chunk);
  demuxer.end();
  return undefined;
}

/** Moves the moov box of an MP4 to the front, so that it can be decoded while it is read. */
async function* descriptionFirst(path: string): AsyncGenerator<Uint8Array, undefined> {
  const { moov, firstMediaAt, content } = await withFile(path, async (file) => {
    const found = await readMp4(file);
    return { ...found, content: await file.read(found.moov.at, found.moov.bytes) };
  });
  if (moov.at < firstMediaAt) return yield* bytesOf(path);
  shiftOffsets(content, content.length);
  if (firstMediaAt > 0) yield* bytesOf(path, { end: firstMediaAt - 1 });
  yield content;
  yield* bytesOf(path, { start: firstMediaAt, end: moov.at - 1 });
  return undefined;
}

async function* soundOfWav(path: string): AsyncGenerator<Uint8Array, undefined> {
  const wav = await withFile(path, readWav);
  const { at, bytes } = wav.data;
  yield wavHeader(wav);
  if (bytes > 0) yield* bytesOf(path, { start: at, end: at + bytes - 1 });
  return undefined;
}

async function* bytesOf(
  path: string,
  range: { start?: number; end?: number } = {},
): AsyncGenerator<Uint8Array, undefined> {
  for await (const chunk of createReadStream(path, range)) yield chunk as Buffer;
  return undefined;
}
