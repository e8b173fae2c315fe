import { statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeFile } from '../../../models/audio/decode.ts';
import { openEncoder } from '../../../models/audio/encode.ts';
import { findContainer, HEAD_BYTES } from '../../../src/audio/containers.ts';
import { withFile } from '../../../src/audio/file-bytes.ts';
import type { SpeechFormat } from '../../../src/runtime/engine.ts';
import { median } from '../overhead/timing.ts';
import type { Ffmpeg } from './ffmpeg.ts';

const SPEECH_RATE = 24_000;
const LISTENING_RATE = 16_000;
/** In the chunks that the speech model delivers: one sentence at a time. */
const SENTENCE_SECONDS = 6;

/** ffmpeg's arguments for the format that speech is written in, and the extension of its files. */
const ENCODED: Readonly<Record<SpeechFormat, readonly [string, ...string[]]>> = {
  mp3: ['mp3', '-c:a', 'libmp3lame', '-b:a', '96k'],
  opus: ['opus', '-c:a', 'libopus', '-b:a', '48k', '-ar', '48000'],
  aac: ['aac', '-c:a', 'aac', '-b:a', '64k', '-f', 'adts'],
  flac: ['flac', '-c:a', 'flac'],
  wav: ['wav', '-c:a', 'pcm_s16le'],
  pcm: ['pcm', '-c:a', 'pcm_s16le', '-f', 's16le'],
};

/** Containers that only ffmpeg writes for us, by the end of its command line. */
const MADE_BY_FFMPEG: Readonly<Record<string, readonly string[]>> = {
  m4a: ['-c:a', 'aac', '-b:a', '64k'],
  'vorbis.ogg': ['-c:a', 'libvorbis'],
  'opus.webm': ['-c:a', 'libopus', '-b:a', '48k'],
  mpeg: ['-c:a', 'mp2', '-f', 'mpeg'],
};

/** How many seconds of sound are processed per second; `ffmpeg` is absent if it is not installed. */
export type Speed = { what: string; askd: number; ffmpeg?: number };
type Codecs = { folder: string; seconds: number; rounds: number; ffmpeg: Ffmpeg | undefined };

export async function* measureEncoding(codecs: Codecs): AsyncGenerator<Speed> {
  const { folder, seconds, ffmpeg } = codecs;
  const samples = soundOf(seconds);
  const raw = join(folder, 'speech.f32');
  await writeFile(raw, new Uint8Array(samples.buffer));
  const input = ['-f', 'f32le', '-ar', String(SPEECH_RATE), '-ac', '1', '-i', raw];
  for (const [format, [ending, ...words]] of Object.entries(ENCODED)) {
    await encode(format as SpeechFormat, samples.subarray(0, SPEECH_RATE));
    const file = join(folder, `speech.${ending}`);
    yield compare(`into ${format}`, codecs, {
      askd: async () => {
        const startedAt = performance.now();
        const bytes = await encode(format as SpeechFormat, samples);
        const taken = (performance.now() - startedAt) / 1000;
        await writeFile(file, bytes);
        return taken;
      },
      ...(ffmpeg && { ffmpeg: () => ffmpeg.time(...input, ...words, join(folder, `by-ffmpeg.${ending}`)) }),
    });
  }
}

/** The files that the encoders left in the folder, and those that only ffmpeg can write. */
export async function* measureDecoding(codecs: Codecs): AsyncGenerator<Speed> {
  const { folder, ffmpeg } = codecs;
  const own = ['mp3', 'opus', 'aac', 'flac', 'wav'].map((ending) => `speech.${ending}`);
  for (const [ending, words] of Object.entries(ffmpeg ? MADE_BY_FFMPEG : {})) {
    await ffmpeg?.make('-i', join(folder, 'speech.wav'), ...words, join(folder, `speech.${ending}`));
  }
  for (const name of [...own, ...Object.keys(ffmpeg ? MADE_BY_FFMPEG : {}).map((each) => `speech.${each}`)]) {
    const path = join(folder, name);
    const words = ['-i', path, '-vn', '-ac', '1', '-ar', String(LISTENING_RATE), '-f', 'f32le', '/dev/null'];
    yield compare(`out of ${name.slice('speech.'.length)}`, codecs, {
      askd: () => timeDecoding(path, codecs.seconds),
      ...(ffmpeg && { ffmpeg: () => ffmpeg.time(...words) }),
    });
  }
}

type Sides = { askd: () => Promise<number>; ffmpeg?: () => Promise<number> };

async function compare(what: string, { seconds, rounds }: Codecs, sides: Sides): Promise<Speed> {
  const taken = { askd: [] as number[], ffmpeg: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    taken.askd.push(await sides.askd());
    if (sides.ffmpeg) taken.ffmpeg.push(await sides.ffmpeg());
  }
  const peer = taken.ffmpeg.length > 0 ? { ffmpeg: seconds / median(taken.ffmpeg) } : {};
  return { what, askd: seconds / median(taken.askd), ...peer };
}

async function encode(format: SpeechFormat, samples: Float32Array): Promise<Buffer> {
  const encoder = await openEncoder(format, SPEECH_RATE);
  const parts: Uint8Array[] = [];
  const step = SENTENCE_SECONDS * SPEECH_RATE;
  for (let at = 0; at < samples.length; at += step)
    parts.push(await encoder.push(samples.subarray(at, at + step)));
  parts.push(await encoder.end());
  return Buffer.concat(parts);
}

async function timeDecoding(path: string, seconds: number): Promise<number> {
  const container = findContainer(await withFile(path, (file) => file.read(0, HEAD_BYTES)));
  const startedAt = performance.now();
  let samples = 0;
  for await (const block of decodeFile({ path, container, rate: LISTENING_RATE })) samples += block.length;
  const taken = (performance.now() - startedAt) / 1000;
  if (Math.abs(samples / LISTENING_RATE - seconds) > 0.5)
    throw new Error(
      `${path} of ${statSync(path).size} bytes has ${samples / LISTENING_RATE} s, not ${seconds}`,
    );
  return taken;
}

/** A synthetic voice with glides, breath and pauses, so that encoders find it no easier than speech. */
function soundOf(seconds: number): Float32Array {
  let phase = 0;
  let noise = 1;
  return Float32Array.from({ length: seconds * SPEECH_RATE }, (_, index) => {
    const time = index / SPEECH_RATE;
    phase += (2 * Math.PI * (140 + 40 * Math.sin(2 * Math.PI * 0.7 * time))) / SPEECH_RATE;
    noise = (noise * 48_271) % 2_147_483_647;
    const word = Math.max(0, Math.sin(2 * Math.PI * 2.2 * time));
    const voice = Math.sin(phase) + 0.5 * Math.sin(2 * phase) + 0.3 * Math.sin(5 * phase);
    return word * (0.2 * voice + 0.05 * (noise / 1_073_741_824 - 1));
  });
}
