import { createResampler, join } from '../../src/audio/resample.ts';
import type { SpeechFormat } from '../../src/runtime/engine.ts';
import { wavHeader } from '../../src/base/wav-header.ts';
import { openAacEncoder } from './encode-aac.ts';
import type { SoundEncoder } from './sound-encoder.ts';

type StreamEncoder = { (channels: Float32Array[]): Promise<Uint8Array>; (): Promise<Uint8Array> };
type Encoders = Record<'mp3' | 'opus' | 'flac', (options: object) => Promise<StreamEncoder>>;

const MP3_KBPS = 96;
const OPUS_KBPS = 48;
const OPUS_RATE = 48_000;
/** The pre-skip of our Opus files; the encoder's own delay is shorter. */
const OPUS_SKIP = 3840;
const OPUS_DELAY = 312;

export async function openEncoder(format: SpeechFormat, rate: number): Promise<SoundEncoder> {
  if (format === 'pcm')
    return { push: async (samples) => toInt16(samples), end: async () => new Uint8Array() };
  if (format === 'wav') return openWav(rate);
  if (format === 'aac') return openAacEncoder(rate);
  const { default: encoders } = (await import('@audio/encode')) as unknown as { default: Encoders };
  if (format === 'opus') return openOpus(encoders, rate);
  const encode = await encoders[format]({ sampleRate: rate, channels: 1, bitrate: MP3_KBPS });
  return { push: (samples) => encode([samples]), end: () => encode() };
}

async function openOpus(encoders: Encoders, rate: number): Promise<SoundEncoder> {
  const encode = await encoders.opus({ sampleRate: OPUS_RATE, channels: 1, bitrate: OPUS_KBPS });
  const resampler = createResampler(rate, OPUS_RATE);
  let lead: Float32Array = new Float32Array(OPUS_SKIP - OPUS_DELAY);
  return {
    push(samples) {
      const first = join(lead, resampler.push(samples));
      lead = new Float32Array();
      return encode([first]);
    },
    async end() {
      const rest = await encode([join(join(lead, resampler.end()), new Float32Array(OPUS_DELAY))]);
      return Buffer.concat([rest, await encode()]);
    },
  };
}

function openWav(rate: number): SoundEncoder {
  let header: Buffer | undefined = wavHeader(rate);
  const take = (bytes: Uint8Array) => {
    const all = header ? Buffer.concat([header, bytes]) : bytes;
    header = undefined;
    return all;
  };
  return { push: async (samples) => take(toInt16(samples)), end: async () => take(new Uint8Array()) };
}

function toInt16(samples: Float32Array): Uint8Array {
  const bytes = Buffer.alloc(samples.length * 2);
  samples.forEach((value, index) => {
    const limited = Math.max(-1, Math.min(1, value));
    bytes.writeInt16LE(Math.round(limited * 32_767), index * 2);
  });
  return bytes;
}
