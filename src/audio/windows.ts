import { join } from './resample.ts';

/** A piece of audio that is transcribed at once. */
export type SoundWindow = { start: number; samples: Float32Array; isLast: boolean };

const FRAME_SECONDS = 0.02;
/** A pause is this many quiet frames in a row. */
const PAUSE_FRAMES = 10;
/** Anything below this is silence, whatever else is in the file. */
const SILENCE = 10 ** (-60 / 20);
/** Silence kept before the first sound. */
const LEAD_SECONDS = 0.2;
/** A window is cut in its later part, at a pause. */
const EARLIEST_CUT = 0.5;

/**
 * Splits an audio stream into windows of limited length, each ending at the quietest moment of its later part, so
 * that no word is cut. Buffers no more than one window and skips silence between windows.
 */
export function createWindows(blocks: AsyncIterator<Float32Array>, { rate, samplesMax }: Size) {
  const frame = Math.round(rate * FRAME_SECONDS);
  let kept: Float32Array = new Float32Array();
  let start = 0;
  let isOver = false;

  async function fill(): Promise<void> {
    const parts = [kept];
    let length = kept.length;
    while (length <= samplesMax && !isOver) {
      const step = await blocks.next();
      isOver = step.done === true;
      if (step.done) break;
      parts.push(step.value);
      length += step.value.length;
    }
    if (parts.length > 1)
      kept = parts.length === 2 ? join(kept, parts[1] as Float32Array) : joinAll(parts, length);
  }

  function drop(samples: number): void {
    kept = kept.slice(samples);
    start += samples;
  }

  return {
    /** Undefined at the end. The window stays until `advance` says how much of it is done. */
    async next(): Promise<SoundWindow | undefined> {
      for (;;) {
        await fill();
        if (kept.length === 0) return undefined;
        const loudness = frameLoudness(kept.subarray(0, samplesMax), frame);
        const first = loudness.findIndex((level) => level > SILENCE);
        if (first < 0) {
          drop(Math.min(kept.length, samplesMax));
          continue;
        }
        const quiet = first * frame - Math.round(LEAD_SECONDS * rate);
        if (quiet > rate) {
          drop(quiet);
          continue;
        }
        const isLast = isOver && kept.length <= samplesMax;
        const end = isLast ? kept.length : quietestFrame(loudness) * frame;
        return { start, samples: kept.subarray(0, end), isLast };
      }
    },
    advance: drop,
    /** The earliest start of the next window. */
    position: () => start,
  };
}

type Size = { rate: number; samplesMax: number };

function frameLoudness(samples: Float32Array, frame: number): Float32Array {
  const loudness = new Float32Array(Math.ceil(samples.length / frame));
  for (let index = 0; index < loudness.length; index++) {
    const part = samples.subarray(index * frame, (index + 1) * frame);
    let energy = 0;
    for (const value of part) energy += value * value;
    loudness[index] = Math.sqrt(energy / part.length);
  }
  return loudness;
}

/** The middle of the quietest stretch; the latest if several are equal. */
function quietestFrame(loudness: Float32Array): number {
  let [best, bestSum] = [loudness.length, Infinity];
  const from = Math.floor(loudness.length * EARLIEST_CUT);
  for (let at = from; at + PAUSE_FRAMES <= loudness.length; at++) {
    let sum = 0;
    for (let offset = 0; offset < PAUSE_FRAMES; offset++) sum += loudness[at + offset] as number;
    if (sum <= bestSum) [best, bestSum] = [at + PAUSE_FRAMES / 2, sum];
  }
  return best;
}

function joinAll(parts: readonly Float32Array[], length: number): Float32Array {
  const all = new Float32Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
