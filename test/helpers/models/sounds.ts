import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  writeToneTranscriber,
  type ToneTranscriberOptions,
} from '../../../scripts/fixtures/audio/tone-transcriber.ts';
import { makeOnce } from './models.ts';

export { spoken, wavOf } from '../../../scripts/fixtures/audio/tone-sound.ts';

export const SOUNDS = join(import.meta.dirname, '..', '..', 'fixtures', 'sounds');

/** One of the committed files: a second and a half of 440 Hz, in some container. */
export function soundFile(name: string): Buffer {
  return readFileSync(join(SOUNDS, name));
}

/** A Whisper model that transcribes the language of tones. */
export async function toneTranscriber(options: ToneTranscriberOptions = {}) {
  return {
    path: await makeOnce('tone-listener', options, (folder) => writeToneTranscriber(folder, options)),
  };
}

/** The loudness and the frequency of a sound, from its rising zero crossings. */
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
