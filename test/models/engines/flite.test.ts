import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { catalog } from '../../../models/catalog.ts';
import { checkShipped } from '../../../models/shipped-files.ts';
import { flite } from '../../../models/engines/flite.ts';
import type { ModelManifest } from '../../../src/runtime/manifest.ts';
import type { Session, SpeakEvent, SpeakRequest } from '../../../src/runtime/engine.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';
import { never } from '../chats.ts';

const RATE = 24_000;
const manifest = catalog.find(({ id }) => id === 'starter-voice') as ModelManifest;
const voices = manifest.speech?.voices ?? {};
const open = () => flite.load(manifest, { slots: 1, contextTokens: 512 }, never());

async function speak(session: Session, request: Partial<SpeakRequest>, signal = never()) {
  const events: SpeakEvent[] = [];
  const wanted = { text: 'Hello.', voice: 'slt', speed: 1, format: 'pcm' as const, ...request };
  for await (const event of session.speak?.(wanted, signal) ?? []) events.push(event);
  const bytes = Buffer.concat(events.flatMap((event) => (event.type === 'sound' ? [event.bytes] : [])));
  const samples = Float32Array.from(
    { length: bytes.length / 2 },
    (_, index) => bytes.readInt16LE(index * 2) / 32_768,
  );
  return { events, samples, seconds: samples.length / RATE };
}

describe('the voice that ships', () => {
  test('is the file from its package, intact', async () => {
    expect(manifest.bytes).toBeGreaterThan(20_000_000);
    await checkShipped(manifest);
  });

  test('has a distinct voice for each standard name, equally loud', async () => {
    await using session = await open();
    const levels: number[] = [];
    for (const voice of Object.values(voices)) {
      const { samples, seconds } = await speak(session, {
        voice,
        text: 'Please bring a pencil to the exam.',
      });
      expect([voice, seconds > 1.2 && seconds < 4]).toEqual([voice, true]);
      levels.push(levelOf(samples));
    }
    expect(Math.max(...levels) / Math.min(...levels)).toBeLessThan(1.6);
    expect(new Set(Object.values(voices)).size).toBe(6);
  });

  test('raises and lowers the pitch if one speaker has three names', async () => {
    await using session = await open();
    const pitch = async (voice: string) =>
      pitchOf((await speak(session, { voice, text: 'We are all away in May.' })).samples);
    const [low, own, high] = [await pitch('slt-low'), await pitch('slt'), await pitch('slt-high')];
    expect(low).toBeLessThan(own * 0.92);
    expect(high).toBeGreaterThan(own * 1.08);
    expect(await pitch('rms')).toBeLessThan(own * 0.8);
  });

  test('changes its duration with the speed, at the same pitch', async () => {
    await using session = await open();
    const text = 'We are all away in May, and in June we come home.';
    const plain = await speak(session, { text });
    for (const speed of [0.25, 0.5, 2, 4]) {
      const ratio = ((await speak(session, { text, speed })).seconds * speed) / plain.seconds;
      expect([speed, ratio > 0.85 && ratio < 1.2]).toEqual([speed, true]);
    }
    const faster = pitchOf((await speak(session, { text, speed: 1.5 })).samples) / pitchOf(plain.samples);
    expect(Math.abs(faster - 1)).toBeLessThan(0.12);
  });

  test('sends each sentence when it is spoken, with pauses in between', async () => {
    await using session = await open();
    const text = 'The first one is here. The second one follows. The third is last.';
    const { events, samples } = await speak(session, { text });
    const reached = events.flatMap((event) => (event.type === 'sound' ? [event.characters] : []));
    expect(reached).toHaveLength(4);
    expect(reached[0]).toBeLessThan(text.length / 2);
    expect(reached.at(-1)).toBe(text.length);
    expect(pausesOf(samples)).toHaveLength(2);
  });

  test('reads numbers, times, money and accents as words', async () => {
    await using session = await open();
    const same = async (one: string, other: string) =>
      expect((await speak(session, { text: one })).samples).toEqual(
        (await speak(session, { text: other })).samples,
      );
    await same('Dr. Ray paid $45 at 3:30.', 'Doctor Ray paid forty-five dollars at three thirty.');
    await same('A naïve café 😀 sign.', 'A naive cafe sign.');
    const count = async (text: string) => (await speak(session, { text })).seconds;
    expect(await count('one two three four five six')).toBeGreaterThan(1.6 * (await count('one two three')));
  });

  test.each(['mp3', 'opus', 'aac', 'flac', 'wav'] as const)('answers in %s', async (format) => {
    await using session = await open();
    const { events } = await speak(session, { format });
    expect(events.at(-1)).toEqual({ type: 'end' });
    expect(events.some((event) => event.type === 'sound' && event.bytes.length > 100)).toBe(true);
  });

  test('refuses what it would say wrongly, and names its voices', async () => {
    await using session = await open();
    for (const text of ['Привет мир', '東京は晴れです', '😀 !?']) {
      await expect(speak(session, { text })).rejects.toMatchObject({ code: 'invalid_value', param: 'input' });
    }
    await expect(speak(session, { voice: 'nobody' })).rejects.toThrow(/slt-low, rms, awb, kal16/);
  });

  test('stops between two sentences on request, and rejects work once it is unloaded', async () => {
    const session = await open();
    const stop = new AbortController();
    const events: SpeakEvent[] = [];
    const request = { text: 'One is here. '.repeat(50), voice: 'slt', speed: 1, format: 'wav' as const };
    for await (const event of session.speak?.(request, stop.signal) ?? []) {
      events.push(event);
      stop.abort();
    }
    expect(events.map(({ type }) => type)).toEqual(['sound']);
    await session[Symbol.asyncDispose]();
    await expect(speak(session, {})).rejects.toMatchObject({ code: 'shutting_down' });
  });

  test('is not loaded from a damaged file', async () => {
    const path = join(temporaryFolder(), 'flite.wasm');
    await writeFile(path, 'not a program');
    await expect(
      flite.load({ ...manifest, path }, { slots: 1, contextTokens: 512 }, never()),
    ).rejects.toMatchObject({ code: 'invalid_model_file' });
  });
});

function levelOf(samples: Float32Array): number {
  return Math.sqrt(samples.reduce((sum, value) => sum + value * value, 0) / samples.length);
}

/** The lengths of the silences of more than a fifth of a second. */
function pausesOf(samples: Float32Array): number[] {
  const lengths: number[] = [];
  let silent = 0;
  for (const value of [...samples, 1]) {
    if (Math.abs(value) < 0.002) silent += 1;
    else {
      if (silent > RATE / 5) lengths.push(silent / RATE);
      silent = 0;
    }
  }
  return lengths;
}

/** The median pitch of the voiced frames, by autocorrelation. */
function pitchOf(samples: Float32Array): number {
  const frame = 1200;
  const found: number[] = [];
  for (let at = 0; at + 2 * frame < samples.length; at += frame) {
    const energy = correlation(samples, { at, lag: 0, frame });
    const lags = Array.from({ length: 300 }, (_, index) => 60 + index);
    const scores = lags.map((lag) => correlation(samples, { at, lag, frame }));
    const best = Math.max(...scores);
    if (energy > 4 && best > 0.5 * energy) found.push(RATE / (lags[scores.indexOf(best)] as number));
  }
  return found.toSorted((a, b) => a - b)[found.length >> 1] as number;
}

function correlation(samples: Float32Array, { at, lag, frame }: Record<'at' | 'lag' | 'frame', number>) {
  let sum = 0;
  for (let index = at; index < at + frame; index++)
    sum += (samples[index] as number) * (samples[index + lag] as number);
  return sum;
}
