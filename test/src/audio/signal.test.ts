import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { polish } from '../../../src/audio/polish.ts';
import { createResampler } from '../../../src/audio/resample.ts';
import { changeTempo } from '../../../src/audio/stretch.ts';
import { createWindows } from '../../../src/audio/windows.ts';
import { measure } from '../../helpers/models/sounds.ts';

const sine = (hertz: number, rate: number, seconds: number, level = 0.4) =>
  Float32Array.from(
    { length: rate * seconds },
    (_, at) => level * Math.sin((2 * Math.PI * hertz * at) / rate),
  );

function resample(
  samples: Float32Array,
  from: number,
  to: number,
  cuts: readonly number[] = [],
): Float32Array {
  const resampler = createResampler(from, to);
  const places = [0, ...cuts.toSorted((a, b) => a - b), samples.length];
  const parts = places.slice(1).map((end, index) => resampler.push(samples.slice(places[index], end)));
  return Float32Array.from([...parts, resampler.end()].flatMap((part) => [...part]));
}

describe('a change of the sample rate', () => {
  test.each([
    [44_100, 16_000],
    [48_000, 16_000],
    [8000, 16_000],
    [11_025, 16_000],
    [24_000, 48_000],
    [22_050, 16_000],
  ])('from %i to %i keeps length, pitch and level', (from, to) => {
    const { seconds, hertz, level } = measure(resample(sine(440, from, 1), from, to), to);
    expect(seconds).toBeCloseTo(1, 3);
    expect(Math.abs(hertz - 440)).toBeLessThan(2);
    expect(level).toBeCloseTo(0.4 / Math.SQRT2, 2);
  });

  test('filters out what the lower rate cannot hold', () => {
    expect(measure(resample(sine(11_000, 48_000, 1), 48_000, 16_000), 16_000).level).toBeLessThan(0.002);
  });

  test('does not depend on how the sound is split into blocks', () => {
    const samples = sine(300, 44_100, 0.1);
    const whole = resample(samples, 44_100, 16_000);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: samples.length }), { maxLength: 8 }), (cuts) => {
        expect(resample(samples, 44_100, 16_000, cuts)).toEqual(whole);
      }),
      { numRuns: 30 },
    );
  });
});

describe('a change of tempo', () => {
  test.each([0.25, 0.5, 0.8, 1.5, 2, 4])('to %f changes the length and not the pitch', (speed) => {
    const { seconds, hertz } = measure(changeTempo(sine(440, 24_000, 2), 24_000, speed), 24_000);
    expect(seconds).toBeCloseTo(2 / speed, 2);
    expect(Math.abs(hertz - 440)).toBeLessThan(12);
  });
});

describe('normalized speech', () => {
  const speech = (level: number) => {
    const samples = new Float32Array(24_000 * 2);
    samples.set(sine(300, 24_000, 1, level), 12_000);
    return polish(samples, 24_000);
  };

  test('has the same loudness, and no silence around it', () => {
    const [quiet, loud] = [speech(0.1), speech(0.9)].map((samples) => measure(samples, 24_000));
    expect((loud?.level ?? 0) / (quiet?.level ?? 1)).toBeCloseTo(1, 1);
    expect(quiet?.seconds).toBeLessThan(1.1);
  });

  test('may be empty', () => {
    const samples = speech(0.5);
    expect(Math.abs(samples[0] ?? 1)).toBe(0);
    expect(Math.abs(samples.at(-1) ?? 1)).toBe(0);
  });
});

describe('windows', () => {
  async function cut(samples: Float32Array) {
    async function* blocks() {
      for (let at = 0; at < samples.length; at += 777) yield samples.slice(at, at + 777);
    }
    const windows = createWindows(blocks(), { rate: 1000, samplesMax: 10_000 });
    const found: { start: number; length: number }[] = [];
    for (let window = await windows.next(); window; window = await windows.next()) {
      found.push({ start: window.start, length: window.samples.length });
      windows.advance(window.samples.length);
    }
    return found;
  }

  test('end in a pause in their later half', async () => {
    const samples = sine(50, 1000, 16);
    samples.fill(0, 7200, 7800);
    const [first, second] = await cut(samples);
    expect(first?.length).toBeGreaterThan(7200);
    expect(first?.length).toBeLessThan(7800);
    expect((second?.start ?? 0) + (second?.length ?? 0)).toBe(16_000);
  });

  test('never overlap, never exceed their length, and leave out only silence', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }), async (loud) => {
        const samples = Float32Array.from(loud.flatMap((isLoud) => [...sine(50, 1000, 1, isLoud ? 0.4 : 0)]));
        const covered = new Uint8Array(samples.length);
        for (const { start, length } of await cut(samples)) {
          expect(length).toBeLessThanOrEqual(10_000);
          for (let at = start; at < start + length; at++) covered[at] = (covered[at] ?? 0) + 1;
        }
        expect(samples.every((value, at) => (covered[at] ?? 0) === 1 || Math.abs(value) < 0.001)).toBe(true);
      }),
      { numRuns: 25 },
    );
  });
});
