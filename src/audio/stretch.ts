const FRAME_SECONDS = 0.03;
const SEARCH_SECONDS = 0.008;

/**
 * Changes the tempo of speech but not its pitch, by overlapping frames where the waveforms match best (WSOLA). A
 * speed of 2 halves the length.
 */
export function changeTempo(samples: Float32Array, rate: number, speed: number): Float32Array {
  const frame = Math.round(rate * FRAME_SECONDS) & ~1;
  if (speed === 1 || samples.length < frame * 2) return samples;
  const hop = frame / 2;
  const search = Math.round(rate * SEARCH_SECONDS);
  const length = Math.round(samples.length / speed);
  const output = new Float32Array(length + frame);
  const window = Float32Array.from(
    { length: frame },
    (_, index) => 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / frame),
  );
  let from = 0;
  for (let at = 0; at < length; at += hop) {
    for (let index = 0; index < frame; index++) {
      // The first half frame has nothing before it to overlap with.
      const weight = at === 0 && index < hop ? 1 : (window[index] as number);
      output[at + index] = (output[at + index] as number) + (samples[from + index] ?? 0) * weight;
    }
    const ideal = Math.round((at + hop) * speed);
    from = nearestLike(samples, { expected: from + hop, ideal, search, length: hop });
  }
  return output.subarray(0, length);
}

type Search = { expected: number; ideal: number; search: number; length: number };

/** The position near the ideal one whose waveform best continues the previous frame. */
function nearestLike(samples: Float32Array, { expected, ideal, search, length }: Search): number {
  const first = Math.max(0, ideal - search);
  const last = Math.max(first, Math.min(samples.length - length, ideal + search));
  let [best, bestLikeness] = [Math.min(ideal, last), -Infinity];
  for (let candidate = first; candidate <= last; candidate++) {
    let [product, energy] = [0, 1e-9];
    for (let index = 0; index < length; index += 2) {
      const value = samples[candidate + index] as number;
      product += value * (samples[expected + index] ?? 0);
      energy += value * value;
    }
    const likeness = product / Math.sqrt(energy);
    if (likeness > bestLikeness) [best, bestLikeness] = [candidate, likeness];
  }
  return best;
}
