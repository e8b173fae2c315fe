import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LETTER_SECONDS, toneOf } from '../../../../scripts/fixtures/audio/tones.ts';
import { eventually, openDaemonWith, type ChatDaemon } from '../../../helpers/daemon/chat.ts';
import { measure, toneTranscriber } from '../../../helpers/models/sounds.ts';
import { decoded, shareBeforeFirstBytes, toneSynthesizer } from '../../../helpers/models/speaking.ts';
import { leastOf } from '../../../helpers/timing.ts';

const RATE = 24_000;
const TYPES = {
  mp3: 'audio/mpeg',
  opus: 'audio/ogg; codecs=opus',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: 'audio/pcm; rate=24000; channels=1',
} as const;

describe('speech', { timeout: 60_000 }, () => {
  let daemon: ChatDaemon;
  const say = (body: Record<string, unknown>, signal?: AbortSignal) =>
    fetch(`${daemon.baseURL}/audio/speech`, {
      method: 'POST',
      headers: { authorization: `Bearer ${daemon.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'svc-tts-v1', ...body }),
      ...(signal && { signal }),
    });
  const bytesOf = async (body: Record<string, unknown>) => Buffer.from(await (await say(body)).arrayBuffer());
  const pcmOf = async (body: Record<string, unknown>) => {
    const bytes = await bytesOf({ ...body, response_format: 'pcm' });
    return Float32Array.from(
      { length: bytes.length / 2 },
      (_, index) => bytes.readInt16LE(index * 2) / 32_768,
    );
  };
  const usage = () =>
    daemon.services.store
      .prepare(
        "SELECT characters, cost_n, outcome FROM usage WHERE task = 'speak' ORDER BY rowid DESC LIMIT 1",
      )
      .get();

  beforeAll(async () => {
    daemon = await openDaemonWith({ speaker: await toneSynthesizer(), listener: await toneTranscriber() });
    daemon.services.library.bind('svc-tts-v1', 'speaker');
    daemon.services.library.bind('svc-whisper-v1', 'listener');
    await bytesOf({ input: 'hello' });
  }, 120_000);
  afterAll(() => daemon.close());

  describe('each format, decoded again, has the length and the tone of what was spoken', () => {
    const input = 'mmm';

    test.each(Object.entries(TYPES))('%s', async (format, type) => {
      const reply = await say({ input, response_format: format });
      expect(reply.headers.get('content-type')).toBe(type);
      const wanted = await pcmOf({ input });
      const bytes = Buffer.from(await reply.arrayBuffer());
      if (format === 'pcm') return expect(bytes.length).toBe(wanted.length * 2);
      const samples = await decoded(bytes);
      const measured = measure(samples, RATE);
      const said = measure(wanted, RATE);
      expect(Math.abs(measured.seconds - said.seconds)).toBeLessThan(0.15);
      expect(loudest(samples)).toBeGreaterThan(loudest(wanted) * 0.8);
      expect(dominantOf(samples)).toBeCloseTo(dominantOf(wanted), -2);
    });
  });

  test('the official client gets an audio file', async () => {
    const reply = await daemon.sdk.audio.speech.create({
      model: 'svc-tts-v1',
      voice: 'nova',
      input: 'Hello.',
    });
    expect(reply.headers.get('content-type')).toBe('audio/mpeg');
    expect(reply.headers.get('x-askd-device')).toBe('cpu');
    expect((await decoded(Buffer.from(await reply.arrayBuffer()))).length).toBeGreaterThan(RATE / 4);
  });

  test('one model transcribes what another speaks', async () => {
    const synthesize = async (input: string, format: string) => {
      const form = new FormData();
      form.set(
        'file',
        new Blob([new Uint8Array(await bytesOf({ input, response_format: format }))]),
        'speech',
      );
      form.set('model', 'svc-whisper-v1');
      form.set('response_format', 'text');
      const reply = await fetch(`${daemon.baseURL}/audio/transcriptions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${daemon.key}` },
        body: form,
      });
      return (await reply.text()).trim();
    };
    expect(await synthesize('Hello world', 'wav')).toBe('həlˈoʊ wˈɜːld');
    expect(await synthesize('Hello world', 'flac')).toBe('həlˈoʊ wˈɜːld');
    expect(await synthesize('Hello world', 'mp3')).toBe('həlˈoʊ wˈɜːld');
    expect(await synthesize('Dr. Smith has 3 cats', 'wav')).toBe('dˈɑːktɚ smˈɪθ hɐz θɹˈiː kˈæts');
    expect(await synthesize('Good bye', 'opus')).not.toBe(await synthesize('Good day', 'opus'));
  });

  test("faster is shorter and slower is longer, also beyond the model's own range", async () => {
    const input = 'mmmm mmmm mmmm';
    const plain = await pcmOf({ input });
    for (const speed of [0.25, 0.5, 2, 4]) {
      const other = await pcmOf({ input, speed });
      const ratio = other.length / (plain.length / speed);
      expect([speed, ratio > 0.8 && ratio < 1.25]).toEqual([speed, true]);
    }
  });

  test('each voice sounds its own way, and a voice can be named as the model names it', async () => {
    const input = 'hello';
    const sounds = await Promise.all(
      ['alloy', 'echo', 'fable', 'onyx', 'nova', 'shimmer'].map((voice) =>
        bytesOf({ input, voice, response_format: 'pcm' }),
      ),
    );
    expect(new Set(sounds.map((sound) => sound.toString('latin1'))).size).toBe(6);
    expect(await bytesOf({ input, voice: 'am_echo', response_format: 'pcm' })).toEqual(sounds[1]);
  });

  test('sentences join seamlessly, and none is louder than another', async () => {
    const samples = await pcmOf({ input: 'One man. Two women! Three more?' });
    let jump = 0;
    for (let at = 1; at < samples.length; at++) {
      jump = Math.max(jump, Math.abs((samples[at] ?? 0) - (samples[at - 1] ?? 0)));
    }
    // The steepest slope of the highest tone, and of the onsets of the model's own letters.
    expect(jump).toBeLessThan(0.75);
    expect(loudest(samples)).toBeLessThan(0.98);
    const thirds = [0, 1, 2].map((part) =>
      loudest(samples.subarray((part * samples.length) / 3, ((part + 1) * samples.length) / 3)),
    );
    expect(Math.max(...thirds) / Math.min(...thirds)).toBeLessThan(1.6);
  });

  test('the first audio arrives before the last is generated', async () => {
    const input = Array.from({ length: 30 }, () => 'One more sentence of some length is said here.').join(
      ' ',
    );
    const shareBeforeSound = () => shareBeforeFirstBytes(() => say({ input, response_format: 'mp3' }));
    expect(await leastOf(3, shareBeforeSound, { enough: 0.5 })).toBeLessThan(0.5);
  });

  test('a sentence arrives while the next one is generated', async () => {
    const sentence = `${'A sentence of some length is said here and '.repeat(4)}ends.`;
    const input = Array.from({ length: 3 }, () => sentence).join(' ');
    const whole = (await bytesOf({ input: sentence, response_format: 'wav' })).length;
    const shareBeforeSentence = async () => {
      const startedAt = performance.now();
      const { body } = await say({ input, response_format: 'wav' });
      let firstMs: number | undefined;
      let bytes = 0;
      for await (const part of body as unknown as AsyncIterable<Uint8Array>) {
        bytes += part.length;
        if (bytes >= whole) firstMs ??= performance.now() - startedAt;
      }
      return (firstMs ?? Infinity) / (performance.now() - startedAt);
    };
    // One of three sentences, not two.
    expect(await leastOf(3, shareBeforeSentence, { enough: 0.55 })).toBeLessThan(0.55);
  });

  test('events bring the same bytes', async () => {
    const reply = await say({ input: 'Hello. You.', stream_format: 'sse', response_format: 'wav' });
    const events = (await reply.text())
      .split('\n\n')
      .filter(Boolean)
      .map((block) => block.slice('data: '.length));
    expect(events.pop()).toBe('[DONE]');
    const parsed = events.map(
      (event) => JSON.parse(event) as { type: string; audio?: string; usage?: object },
    );
    expect(parsed.pop()).toEqual({
      type: 'speech.audio.done',
      usage: { type: 'characters', characters: 11 },
    });
    const bytes = Buffer.concat(parsed.map(({ audio = '' }) => Buffer.from(audio, 'base64')));
    expect(bytes).toEqual(await bytesOf({ input: 'Hello. You.', response_format: 'wav' }));
  });

  test('the characters are charged', async () => {
    await bytesOf({ input: 'Hello world' });
    await eventually(usage).toEqual({ characters: 11, cost_n: 11 * 15_000, outcome: 'finished' });
  });

  test('a client that disconnects pays for what was spoken', async () => {
    const input = Array.from({ length: 80 }, () => 'One more sentence of some length is here.').join(' ');
    const abort = new AbortController();
    const reply = await say({ input }, abort.signal);
    await reply.body?.getReader().read();
    abort.abort();
    await eventually(usage).toMatchObject({ outcome: 'disconnected' });
    const { characters } = usage() as { characters: number };
    expect(characters).toBeGreaterThan(0);
    expect(characters).toBeLessThan(input.length);
  });

  test('speaks a text with the chosen voice, and reports instructions as having no effect', async () => {
    const reply = await say({ input: 'm', instructions: 'Whisper.' });
    expect([reply.status, reply.headers.get('x-askd-ignored')]).toEqual([200, 'instructions']);
  });

  test.each<[Record<string, unknown>, number, string, string]>([
    [{ input: '' }, 400, 'invalid_value', 'input'],
    [{ input: '  \n' }, 400, 'invalid_value', 'input'],
    [{ input: 'x'.repeat(4097) }, 400, 'invalid_value', 'input'],
    [{ input: 'x', speed: 5 }, 400, 'invalid_value', 'speed'],
    [{ input: 'x', response_format: 'midi' }, 400, 'invalid_value', 'response_format'],
    [{ input: 'x', voice: 'nobody' }, 400, 'invalid_value', 'voice'],
    [{ input: 'x', voice: 'af_nobody' }, 400, 'invalid_value', 'voice'],
    [{ input: 'x', voice: 'ff_siwis' }, 400, 'invalid_value', 'voice'],
    [{ input: 'x', sped: 2 }, 400, 'unsupported_parameter', 'sped'],
    [{ input: 'x', model: 'listener' }, 400, 'model_capability_mismatch', 'model'],
  ])('%j is refused', async (body, status, code, param) => {
    const reply = await say(body);
    const { error } = (await reply.json()) as { error: { code: string; param: string } };
    expect({ status: reply.status, code: error.code, param: error.param }).toEqual({ status, code, param });
  });

  test('the record of a speech model lists its voices', async () => {
    const { json } = await daemon.call('GET', '/api/daemon/artifacts');
    const { artifacts } = json<{ artifacts: { id: string; voices?: Record<string, string> }[] }>();
    expect(artifacts.find(({ id }) => id === 'speaker')?.voices).toMatchObject({
      alloy: 'af_alloy',
      shimmer: 'af_bella',
    });
  });
});

function loudest(samples: Float32Array): number {
  return samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
}

/** The strongest tone of the alphabet, in Hz. */
function dominantOf(samples: Float32Array): number {
  const tones = [...'abcdefghijklmnopqrstuvwxyz'].map(toneOf);
  const powers = tones.map((hertz) => {
    let [sine, cosine] = [0, 0];
    const step = (2 * Math.PI * hertz) / RATE;
    const length = Math.min(samples.length, RATE * LETTER_SECONDS * 8);
    for (let at = 0; at < length; at++) {
      sine += (samples[at] ?? 0) * Math.sin(step * at);
      cosine += (samples[at] ?? 0) * Math.cos(step * at);
    }
    return sine * sine + cosine * cosine;
  });
  return tones[powers.indexOf(Math.max(...powers))] ?? 0;
}
