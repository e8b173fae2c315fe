/** What every piece of speech is brought to, so that none is louder than the others. */
const LEVEL = 10 ** (-20 / 20);
const GAIN_MAX = 4;
const PEAK_MAX = 0.97;
/** Quieter than the loudest by this is no speech. */
const EDGE_SHARE = 10 ** (-45 / 20);
const FRAME_SHARE = 10 ** (-30 / 20);
const FRAME_SECONDS = 0.02;
const MARGIN_SECONDS = 0.03;
const FADE_SECONDS = 0.005;

/** Speech without the silence around it, as loud as all other speech, and ready to be joined to what comes next. */
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

/** The mean over what is spoken: pauses do not make it quieter. */
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

/** From nothing and to nothing, for a jump would click. */
function fade(samples: Float32Array, length: number): void {
  const reach = Math.min(length, samples.length >> 1);
  for (let index = 0; index < reach; index++) {
    const weight = index / reach;
    samples[index] = (samples[index] as number) * weight;
    const mirrored = samples.length - 1 - index;
    samples[mirrored] = (samples[mirrored] as number) * weight;
  }
}
