import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LETTER_SECONDS, toneOf } from '../../scripts/fixtures/tones.ts';
import { writeToneListener, type ToneListenerOptions } from '../../scripts/fixtures/tone-listener.ts';
import { makeOnce } from './models.ts';

export const SOUNDS = join(import.meta.dirname, '..', 'fixtures', 'sounds');

/** One of the committed files: a second and a half of 440 Hz, in some container. */
export function soundFile(name: string): Buffer {
  return readFileSync(join(SOUNDS, name));
}

/** A Whisper that hears the language of tones. */
export async function toneListener(options: ToneListenerOptions = {}) {
  return { path: await makeOnce('tone-listener', options, (folder) => writeToneListener(folder, options)) };
}

const RATE = 16_000;

/** A text in the language of tones; each `_` is a second of silence. */
export function spoken(text: string, rate = RATE): Float32Array {
  const parts = [...text].map((letter) => {
    if (letter === '_') return new Float32Array(rate);
    const samples = new Float32Array(Math.round(LETTER_SECONDS * rate));
    for (let index = 0; index < samples.length / 2; index++) {
      samples[index] = 0.3 * Math.sin((2 * Math.PI * toneOf(letter) * index) / rate);
    }
    return samples;
  });
  const all = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** A WAV of 16 bits, whose header may say that it has another length. */
export function wavOf(samples: Float32Array, { rate = RATE, saysBytes = samples.length * 2 } = {}): Buffer {
  const wav = Buffer.alloc(44 + samples.length * 2);
  wav.write('RIFF');
  wav.writeUInt32LE(Math.min(0xffffffff, 36 + saysBytes), 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(rate, 24);
  wav.writeUInt32LE(rate * 2, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(saysBytes, 40);
  samples.forEach((value, index) => wav.writeInt16LE(Math.round(value * 32_767), 44 + index * 2));
  return wav;
}

/** How loud a sound is and how often it swings in a second, by its rising zero crossings. */
export function measure(
  samples: Float32Array,
  rate: number,
): { seconds: number; level: number; hertz: number } {
  let [energy, crossings, last] = [0, 0, 0];
  for (const value of samples) {
    energy += value * value;
    if (last <= 0 && value > 0) crossings += 1;
    last = value;
  }
  const seconds = samples.length / rate;
  return { seconds, level: Math.sqrt(energy / samples.length), hertz: crossings / seconds };
}
