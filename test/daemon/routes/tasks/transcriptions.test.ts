import { readdirSync } from 'node:fs';
import OpenAI, { toFile } from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collect, eventually } from '../../../helpers/daemon/chat.ts';
import {
  openListeningDaemon,
  refusalOf,
  type ListeningDaemon,
} from '../../../helpers/models/transcribing.ts';
import { soundFile, SOUNDS, spoken, wavOf } from '../../../helpers/models/sounds.ts';

type Verbose = {
  segments: { start: number; end: number; text: string }[];
  words: { word: string; start: number; end: number }[];
};

describe('transcription', { timeout: 60_000 }, () => {
  let daemon: ListeningDaemon;
  const upload = (...given: Parameters<ListeningDaemon['upload']>) => daemon.upload(...given);
  const post = (...given: Parameters<ListeningDaemon['post']>) => daemon.post(...given);

  beforeAll(async () => {
    daemon = await openListeningDaemon();
    await post(upload());
  }, 120_000);
  afterAll(() => daemon.close());

  describe('answers in each format', () => {
    test.each([
      ['json', 'application/json; charset=utf-8', /^\{"text":"hello world","usage":\{"type":"duration",/],
      ['text', 'text/plain; charset=utf-8', /^hello world\n$/],
      ['srt', 'application/x-subrip; charset=utf-8', /^1\n00:00:00,000 --> 00:00:01,\d{3}\nhello world\n\n$/],
      ['vtt', 'text/vtt; charset=utf-8', /^WEBVTT\n\n00:00:00\.000 --> 00:00:01\.\d{3}\nhello world\n\n$/],
      [
        'verbose_json',
        'application/json; charset=utf-8',
        /^\{"task":"transcribe","language":"french","duration":1\.32,/,
      ],
    ])('%s', async (format, type, body) => {
      const reply = await post(upload({ response_format: format }));
      expect(reply.headers.get('content-type')).toBe(type);
      expect(reply.headers.get('x-askd-device')).toBe('cpu');
      expect(await reply.text()).toMatch(body);
    });
  });

  test('names parameters that have no effect', async () => {
    const reply = await post(upload({ chunking_strategy: 'auto', 'include[]': ['logprobs'] }));
    expect([reply.status, reply.headers.get('x-askd-ignored')]).toEqual([200, 'chunking_strategy, include']);
  });

  test('the official client gets a text, segments and a stream', async () => {
    const { sdk } = daemon;
    const file = () => toFile(daemon.hello, 'speech.wav');
    const plain = await sdk.audio.transcriptions.create({ file: await file(), model: 'svc-stt-v1' });
    expect(plain.text).toBe('hello world');
    const verbose = await sdk.audio.transcriptions.create({
      file: await file(),
      model: 'timer',
      response_format: 'verbose_json',
      timestamp_granularities: ['word', 'segment'],
    });
    expect(verbose.segments).toMatchObject([
      { id: 0, seek: 0, start: 0, text: 'hello world', temperature: 0 },
    ]);
    expect(verbose.words?.map(({ word }) => word)).toEqual(['hello', 'world']);
    const stream = await sdk.audio.transcriptions.create({
      file: await file(),
      model: 'listener',
      stream: true,
    });
    const events = await collect(stream);
    expect(events[0]).toEqual({ type: 'transcript.text.delta', delta: 'hello world' });
    expect(events.at(-1)).toMatchObject({ type: 'transcript.text.done', text: 'hello world' });
    const english = await sdk.audio.translations.create({ file: await file(), model: 'listener' });
    expect(english.text).toBe('HELLO WORLD');
  });

  test('words have timestamps', async () => {
    const fields = { model: 'timer', response_format: 'verbose_json', 'timestamp_granularities[]': ['word'] };
    const { words, segments } = (await (await post(upload(fields))).json()) as Verbose;
    expect(segments).toBeUndefined();
    const [first, second] = words;
    expect(first?.word).toBe('hello');
    expect(first?.start).toBeLessThan(0.1);
    expect(second?.start).toBeGreaterThan(0.5);
    expect(second?.start).toBeLessThan(0.85);
    expect(second?.end).toBeLessThanOrEqual(1.32);
  });

  test('the language is detected, or taken as a code or a name', async () => {
    const language = async (fields: Record<string, string>) => {
      const reply = await post(upload({ response_format: 'verbose_json', ...fields }));
      return ((await reply.json()) as { language: string }).language;
    };
    expect(await language({})).toBe('french');
    expect(await language({ language: 'de' })).toBe('german');
    expect(await language({ language: 'English' })).toBe('english');
    expect(await refusalOf(await post(upload({ language: 'ja' })))).toMatchObject({
      status: 400,
      param: 'language',
      message: expect.stringContaining('It supports en, fr, de'),
    });
  });

  describe('every container is recognized by its content, whatever its name', () => {
    test.each(readdirSync(SOUNDS))('%s', async (name) => {
      const reply = await post(upload({ response_format: 'verbose_json' }, soundFile(name), 'speech.txt'));
      const { duration } = (await reply.json()) as { duration: number };
      expect(reply.status).toBe(200);
      expect(Math.abs(duration - 1.5)).toBeLessThan(0.1);
    });
  });

  test('long audio is transcribed in windows that end in pauses, and no word is cut', async () => {
    const sentences = ['the quick brown fox', 'jumps over', 'the lazy dog', 'and runs away', 'into the wood'];
    const text = Array.from({ length: 15 }, (_, index) => sentences[index % 5]).join('_');
    const reply = await post(upload({ response_format: 'verbose_json' }, wavOf(spoken(text))));
    const { segments, ...rest } = (await reply.json()) as Verbose & { text: string; duration: number };
    expect(rest.duration).toBeCloseTo(spoken(text).length / 16_000, 1);
    expect(segments.length).toBeGreaterThan(1);
    expect(rest.text).toBe(text.replaceAll('_', ''));
    for (const [index, { start, end }] of segments.entries()) {
      expect(end).toBeGreaterThan(start);
      expect(start).toBeGreaterThanOrEqual((segments[index - 1]?.end ?? 0) - 0.05);
    }
  });

  test('audio without words is transcribed without a failure, whatever the result', async () => {
    for (let count = 0; count < 40; count++) {
      const reply = await post(upload({ temperature: '1', response_format: 'text' }, soundFile('tone.ogg')));
      expect([reply.status, await reply.text()]).toEqual([200, expect.any(String)]);
    }
  });

  test('silence takes no work and gives no text', async () => {
    const reply = await post(upload({}, wavOf(new Float32Array(16_000 * 60))));
    expect(await reply.json()).toEqual({ text: '', usage: { type: 'duration', seconds: 60 } });
  });

  test('the duration of the audio is charged', async () => {
    const usage = () =>
      daemon.services.store
        .prepare(
          "SELECT seconds, cost_n, outcome FROM usage WHERE task = 'transcribe' ORDER BY rowid DESC LIMIT 1",
        )
        .get();
    await post(upload());
    expect(usage()).toEqual({ seconds: 1.32, cost_n: Math.ceil((0.006e9 * 1.32) / 60), outcome: 'finished' });
    await post(upload({}, soundFile('tone.flac').subarray(0, 30_000)));
    expect(usage()).toMatchObject({ seconds: 0, cost_n: 0, outcome: 'failed' });
  });

  test('a retry with the same key and file is answered from the stored response, though its form differs', async () => {
    const headers = { 'idempotency-key': 'one-and-the-same' };
    const first = await post(upload(), headers);
    const again = await post(upload(), headers);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await again.text()).toBe(await first.text());
    const other = await post(upload({}, wavOf(spoken('other'))), headers);
    expect(other.status).toBe(422);
  });

  test('a client that disconnects ends the work, and the next one is served', async () => {
    const long = wavOf(spoken(Array.from({ length: 30 }, () => 'over and over').join('_')));
    const abort = new AbortController();
    const sdk = new OpenAI({ apiKey: daemon.key, baseURL: daemon.baseURL, maxRetries: 0 });
    const file = await toFile(long, 'long.wav');
    const stream = await sdk.audio.transcriptions.create(
      { file, model: 'listener', stream: true },
      { signal: abort.signal },
    );
    for await (const event of stream) if (event.type === 'transcript.text.delta') break;
    abort.abort();
    await eventually(() => daemon.services.pool.status().reduce((sum, { busy }) => sum + busy, 0)).toBe(0);
    expect(await (await post(upload({ response_format: 'text' }))).text()).toBe('hello world\n');
  });

  test('nothing of an upload stays behind', async () => {
    await eventually(() => readdirSync(daemon.services.settings.paths.uploads)).toEqual([]);
  });

  test('many at once are transcribed one after the other, each whole, and the daemon stays responsive', async () => {
    const texts = ['one', 'two', 'three', 'four', 'five', 'six'];
    const replies = await Promise.all(
      texts.map((text) => post(upload({ response_format: 'text' }, wavOf(spoken(text))))),
    );
    expect(await Promise.all(replies.map((reply) => reply.text()))).toEqual(texts.map((text) => `${text}\n`));
  });
});
