/** The loudness that all speech is normalized to. */
const LEVEL = 10 ** (-20 / 20);
const GAIN_MAX = 4;
const PEAK_MAX = 0.97;
/** Anything this much below the peak is not speech. */
const EDGE_SHARE = 10 ** (-45 / 20);
const FRAME_SHARE = 10 ** (-30 / 20);
const FRAME_SECONDS = 0.02;
const MARGIN_SECONDS = 0.03;
const FADE_SECONDS = 0.005;

/**
 * Trims the silence around speech, normalizes its loudness, and fades its ends so that it can be joined to the next
 * piece.
 */
export function polish(samples: Float32Array, rate: number): Float32Array {
  const peak = peakOf(samples);
  if (peak === 0) return new Float32Array();
  const kept = trim(samples, peak * EDGE_SHARE, Math.round(rate * MARGIN_SECONDS));
  const gain = Math.min(LEVEL / levelOf(kept, rate, peak), GAIN_MAX, PEAK_MAX / peak);
  const level = kept.map((value) => value * gain);
  fade(level, Math.round(rate * FADE_SECONDS));
  return level;
}

function peakOf(samples: Float32Array): number {
  let peak = 0;
  for (const value of samples) peak = Math.max(peak, Math.abs(value));
  return peak;
}

function trim(samples: Float32Array, threshold: number, margin: number): Float32Array {
  const first = samples.findIndex((value) => Math.abs(value) > threshold);
  const last = samples.findLastIndex((value) => Math.abs(value) > threshold);
  return samples.subarray(Math.max(0, first - margin), Math.min(samples.length, last + 1 + margin));
}

/** The mean over the spoken parts, so that pauses do not lower it. */
function levelOf(samples: Float32Array, rate: number, peak: number): number {
  const frame = Math.round(rate * FRAME_SECONDS);
  let [energy, count] = [0, 0];
  for (let at = 0; at < samples.length; at += frame) {
    const part = samples.subarray(at, at + frame);
    let own = 0;
    for (const value of part) own += value * value;
    if (Math.sqrt(own / part.length) < peak * FRAME_SHARE) continue;
    energy += own;
    count += part.length;
  }
  return count === 0 ? peak : Math.sqrt(energy / count);
}

/** Fades in and out, because an abrupt change would click. */
function fade(samples: Float32Array, length: number): void {
  const reach = Math.min(length, samples.length >> 1);
  for (let index = 0; index < reach; index++) {
    const weight = index / reach;
    samples[index] = (samples[index] as number) * weight;
    const mirrored = samples.length - 1 - index;
    samples[mirrored] = (samples[mirrored] as number) * weight;
  }
}
