/** Splits a sound into this many equal parts and returns the peak of each, from 0 to 1. */
export function peaksOf(samples: Float32Array, count: number): number[] {
  const width = samples.length / count;
  return Array.from({ length: count }, (_, part) => {
    let peak = 0;
    const end = Math.floor((part + 1) * width);
    for (let index = Math.floor(part * width); index < end; index++) {
      peak = Math.max(peak, Math.abs(samples[index] ?? 0));
    }
    return Math.min(1, peak);
  });
}
