/** Zero crossings of the sinc filter on each side: enough for speech and music. */
const CROSSINGS = 16;
/** The share of the narrower band that passes unchanged; the filter rolls off in the rest. */
const PASSBAND = 0.95;

export type Resampler = {
  push(block: Float32Array): Float32Array;
  /** Flushes the remaining samples. */
  end(): Float32Array;
};

/** Changes the sample rate of a mono stream. The output does not depend on the block size. */
export function createResampler(from: number, to: number): Resampler {
  if (from === to) return { push: (block) => block, end: () => new Float32Array() };
  const divisor = greatestCommonDivisor(from, to);
  const [up, down] = [to / divisor, from / divisor];
  const band = (PASSBAND * Math.min(from, to)) / from;
  const reach = Math.ceil(CROSSINGS / band);
  const taps = createTaps(up, reach, band);
  const width = reach * 2;
  /** Input from `reach` samples before the next output. */
  let kept: Float32Array = new Float32Array(reach - 1);
  let phase = 0;
  let [read, written] = [0, 0];

  function push(block: Float32Array): Float32Array {
    read += block.length;
    return convert(join(kept, block));
  }

  function convert(input: Float32Array): Float32Array {
    const output = new Float32Array(Math.max(0, Math.ceil(((input.length - width + 1) * up - phase) / down)));
    let [count, at] = [0, 0];
    while (at + width <= input.length && count < output.length) {
      const first = phase * width;
      let sum = 0;
      for (let tap = 0; tap < width; tap++)
        sum += (input[at + tap] as number) * (taps[first + tap] as number);
      output[count++] = sum;
      phase += down;
      at += Math.floor(phase / up);
      phase %= up;
    }
    kept = input.slice(at);
    written += count;
    return output.subarray(0, count);
  }

  return {
    push,
    end() {
      const wanted = Math.round((read * up) / down) - written;
      return convert(join(kept, new Float32Array(width + down))).subarray(0, Math.max(0, wanted));
    },
  };
}

/** The filter weights for each position between two input samples at which an output can lie. */
function createTaps(up: number, reach: number, band: number): Float32Array {
  const width = reach * 2;
  const taps = new Float32Array(up * width);
  for (let phase = 0; phase < up; phase++) {
    let sum = 0;
    for (let tap = 0; tap < width; tap++) {
      const distance = tap - (reach - 1) - phase / up;
      const weight = band * sinc(distance * band) * window(distance / reach);
      taps[phase * width + tap] = weight;
      sum += weight;
    }
    for (let tap = 0; tap < width; tap++)
      taps[phase * width + tap] = (taps[phase * width + tap] as number) / sum;
  }
  return taps;
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

/** The Blackman window. */
function window(x: number): number {
  if (Math.abs(x) >= 1) return 0;
  return 0.42 + 0.5 * Math.cos(Math.PI * x) + 0.08 * Math.cos(2 * Math.PI * x);
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

export function join(first: Float32Array, second: Float32Array): Float32Array {
  const both = new Float32Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** The mean of all channels. */
export function toMono(channels: readonly Float32Array[]): Float32Array {
  const [first = new Float32Array()] = channels;
  if (channels.length <= 1) return first;
  return first.map((_, index) => {
    let sum = 0;
    for (const channel of channels) sum += channel[index] ?? 0;
    return sum / channels.length;
  });
}
