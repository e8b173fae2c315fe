import { readdirSync } from 'node:fs';
import { request as requestHttp } from 'node:http';
import { join } from 'node:path';
import OpenAI, { toFile } from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collect, eventually, openDaemonWith, type ChatDaemon } from '../helpers/chat.ts';
import { scriptedModel } from '../helpers/models.ts';
import { soundFile, spoken, toneListener, wavOf } from '../helpers/sounds.ts';

type Verbose = {
  segments: { start: number; end: number; text: string }[];
  words: { word: string; start: number; end: number }[];
};

const BYTES_MAX = 4 * 1024 * 1024;
const SECONDS_MAX = 600;

describe('transcription', { timeout: 60_000 }, () => {
  let daemon: ChatDaemon;
  const hello = wavOf(spoken('hello world'));
  const upload = (fields: Record<string, string | string[]> = {}, file: Buffer = hello, name = 'speech.wav') => {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(file)]), name);
    for (const [field, value] of Object.entries({ model: 'svc-whisper-v1', ...fields })) {
      for (const each of [value].flat()) form.append(field, each);
    }
    return form;
  };
  const post = (body: FormData, path = 'transcriptions', headers: Record<string, string> = {}) =>
    fetch(`${daemon.baseURL}/audio/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${daemon.key}`, ...headers },
      body,
    });
  const refusal = async (reply: Response) => {
    const { error } = (await reply.json()) as { error: { message: string; code: string; param: string | null } };
    return { status: reply.status, ...error };
  };

  beforeAll(async () => {
    daemon = await openDaemonWith(
      {
        listener: await toneListener({ language: 'fr' }),
        timer: await toneListener({ showsAttention: true }),
        talker: await scriptedModel('Any answer.'),
      },
      { ASKD_AUDIO_BYTES_MAX: String(BYTES_MAX), ASKD_AUDIO_SECONDS_MAX: String(SECONDS_MAX) },
    );
    daemon.services.library.bind('svc-whisper-v1', 'listener');
    daemon.services.library.bind('svc-stt-v1', 'listener');
    await post(upload());
  }, 120_000);
  afterAll(() => daemon.close());

  describe('answers in each format', () => {
    test.each([
      ['json', 'application/json; charset=utf-8', /^\{"text":"hello world","usage":\{"type":"duration",/],
      ['text', 'text/plain; charset=utf-8', /^hello world\n$/],
      ['srt', 'application/x-subrip; charset=utf-8', /^1\n00:00:00,000 --> 00:00:01,\d{3}\nhello world\n\n$/],
      ['vtt', 'text/vtt; charset=utf-8', /^WEBVTT\n\n00:00:00\.000 --> 00:00:01\.\d{3}\nhello world\n\n$/],
      ['verbose_json', 'application/json; charset=utf-8', /^\{"task":"transcribe","language":"french","duration":1\.32,/],
    ])('%s', async (format, type, body) => {
      const reply = await post(upload({ response_format: format }));
      expect(reply.headers.get('content-type')).toBe(type);
      expect(await reply.text()).toMatch(body);
    });
  });

  test('the official client gets a text, segments and a stream', async () => {
    const { sdk } = daemon;
    const file = () => toFile(hello, 'speech.wav');
    const plain = await sdk.audio.transcriptions.create({ file: await file(), model: 'svc-stt-v1' });
    expect(plain.text).toBe('hello world');
    const verbose = await sdk.audio.transcriptions.create({
      file: await file(),
      model: 'timer',
      response_format: 'verbose_json',
      timestamp_granularities: ['word', 'segment'],
    });
    expect(verbose.segments).toMatchObject([{ id: 0, seek: 0, start: 0, text: 'hello world', temperature: 0 }]);
    expect(verbose.words?.map(({ word }) => word)).toEqual(['hello', 'world']);
    const stream = await sdk.audio.transcriptions.create({ file: await file(), model: 'listener', stream: true });
    const events = await collect(stream);
    expect(events[0]).toEqual({ type: 'transcript.text.delta', delta: 'hello world' });
    expect(events.at(-1)).toMatchObject({ type: 'transcript.text.done', text: 'hello world' });
    const english = await sdk.audio.translations.create({ file: await file(), model: 'listener' });
    expect(english.text).toBe('HELLO WORLD');
  });

  test('words have the times at which they were said', async () => {
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

  test('the language is found out, or taken as a code or a name', async () => {
    const language = async (fields: Record<string, string>) => {
      const reply = await post(upload({ response_format: 'verbose_json', ...fields }));
      return ((await reply.json()) as { language: string }).language;
    };
    expect(await language({})).toBe('french');
    expect(await language({ language: 'de' })).toBe('german');
    expect(await language({ language: 'English' })).toBe('english');
    expect(await refusal(await post(upload({ language: 'ja' })))).toMatchObject({
      status: 400,
      param: 'language',
      message: expect.stringContaining('It knows en, fr, de'),
    });
  });

  test('every container is understood by what is in it, whatever its name says', async () => {
    for (const name of readdirSync(join(import.meta.dirname, '..', 'fixtures', 'sounds'))) {
      const fields = { response_format: 'verbose_json' };
      const reply = await post(upload(fields, soundFile(name), 'speech.txt'));
      const { duration = 0 } = (await reply.json()) as { duration?: number };
      expect([name, reply.status, Math.abs(duration - 1.5) < 0.1]).toEqual([name, 200, true]);
    }
  });

  describe('a bad file is a 400 that says what is wrong', () => {
    const cut = (name: string, share = 0.6) => soundFile(name).subarray(0, soundFile(name).length * share);
    const garbled = (name: string) => {
      const bytes = Buffer.from(soundFile(name));
      for (let at = 600; at < bytes.length; at++) bytes[at] = (at * 7919) % 251;
      return bytes;
    };
    test.each<[string, () => Buffer, RegExp]>([
      ['nothing', () => Buffer.alloc(0), /is empty/],
      ['a text', () => Buffer.from('This is no sound at all, but a text.'), /looks like text/],
      ['a PDF', () => Buffer.from('%PDF-1.7\n\x00\xff\xfe'), /a PDF document/],
      ['a PNG', () => Buffer.from('\x89PNG\r\n\x1a\n\x00\x00', 'latin1'), /a PNG image/],
      ['a ZIP', () => Buffer.from('PK\x03\x04\x00\x00', 'latin1'), /a ZIP archive/],
      ['MIDI', () => Buffer.from('MThd\x00\x00\x00\x06', 'latin1'), /notes and not sound/],
      ['noise', () => Buffer.alloc(5000, 0x5a ^ 0xff), /no audio that can be read here/],
      ['half a WAV', () => cut('tone.wav'), /cut off/],
      ['half an MP3', () => cut('tone.mp3'), /cut off/],
      ['half an M4A', () => cut('tone.m4a'), /cut off|moov/],
      ['half an M4A that begins with its description', () => cut('begins-with-description.m4a'), /cut off/],
      ['half a WebM', () => cut('tone.webm'), /cut off/],
      ['half an Ogg', () => cut('tone.ogg'), /cut off/],
      ['half a FLAC', () => cut('tone.flac', 0.3), /cut off or is damaged/],
      ['a WAV without sound', () => wavOf(new Float32Array()), /no sound/],
      ['a FLAC of noise', () => garbled('tone.flac'), /damaged|decoded/],
      ['an MP4 of noise', () => garbled('tone.m4a'), /./],
      ['an Ogg of noise', () => garbled('tone.ogg'), /./],
    ])('%s', async (_name, file, reason) => {
      expect(await refusal(await post(upload({}, file())))).toMatchObject({
        status: 400,
        code: 'invalid_audio',
        param: 'file',
        message: expect.stringMatching(reason),
      });
    });
  });

  test('a small file that plays for longer than is allowed is refused, whatever its header says', async () => {
    const long = wavOf(spoken('a'), { rate: 100 * 16_000, saysSamples: 0xffffffff });
    const minutes = Buffer.concat([wavOf(spoken('a'), { rate: 2000, saysSamples: 0xffffffff }), Buffer.alloc(3_000_000)]);
    expect(await refusal(await post(upload({}, minutes)))).toMatchObject({ status: 400, code: 'audio_too_long' });
    expect((await refusal(await post(upload({}, long)))).status).toBe(400);
  });

  describe('an unfit request is refused by its reason', () => {
    test.each<[Record<string, string | string[]>, number, string, string | null]>([
      [{ model: 'talker' }, 400, 'model_capability_mismatch', 'model'],
      [{ model: 'nobody' }, 404, 'model_not_found', 'model'],
      [{ response_format: 'docx' }, 400, 'invalid_value', 'response_format'],
      [{ temperature: '7' }, 400, 'invalid_value', 'temperature'],
      [{ chunking_strategy: 'auto' }, 400, 'unsupported_parameter', 'chunking_strategy'],
      [{ language: 'Klingonish' }, 400, 'invalid_value', 'language'],
      [{ 'timestamp_granularities[]': ['word'] }, 400, 'invalid_value', 'timestamp_granularities'],
      [
        { 'timestamp_granularities[]': ['word'], response_format: 'verbose_json' },
        400,
        'unsupported_parameter',
        'timestamp_granularities[]',
      ],
    ])('%j', async (fields, status, code, param) => {
      expect(await refusal(await post(upload(fields)))).toMatchObject({ status, code, param });
    });

    test('without a file, with two, or with JSON', async () => {
      const none = new FormData();
      none.set('model', 'listener');
      expect(await refusal(await post(none))).toMatchObject({ status: 400, param: 'file' });
      const two = upload();
      two.append('file', new Blob(['x']), 'more.wav');
      expect(await refusal(await post(two))).toMatchObject({ status: 400, param: 'file' });
      const json = await daemon.call('POST', '/v1/audio/transcriptions', { token: daemon.key, body: {} });
      expect(json.status).toBe(415);
      const chat = await fetch(`${daemon.baseURL}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${daemon.key}` },
        body: upload(),
      });
      expect(chat.status).toBe(415);
    });
  });

  describe('a file that is too large is refused before it is there', () => {
    const send = (headers: Record<string, string>, chunks: number) =>
      new Promise<{ status: number; sent: number }>((resolve, reject) => {
        let sent = 0;
        const boundary = 'xxx';
        const request = requestHttp(`${daemon.baseURL}/audio/transcriptions`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${daemon.key}`,
            'content-type': `multipart/form-data; boundary=${boundary}`,
            ...headers,
          },
        });
        request.on('response', (response) => {
          response.resume();
          resolve({ status: response.statusCode ?? 0, sent });
          request.destroy();
        });
        request.on('error', reject);
        request.write(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="x.wav"\r\n\r\n`);
        const more = (): void => {
          if (request.destroyed || sent === chunks) return;
          sent += 1;
          request.write(Buffer.alloc(256 * 1024), () => setImmediate(more));
        };
        more();
      });

    test('by its own word', async () => {
      expect(await send({ 'content-length': String(100 * 1024 * 1024) }, 0)).toEqual({ status: 413, sent: 0 });
    });

    test('while it arrives, when it does not say how large it is', async () => {
      const { status } = await send({ 'transfer-encoding': 'chunked' }, 100);
      expect(status).toBe(413);
    });
  });

  test('long sound is heard in windows that end in pauses, and no word is cut', async () => {
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

  test('silence costs no work and has no text', async () => {
    const reply = await post(upload({}, wavOf(new Float32Array(16_000 * 60))));
    expect(await reply.json()).toEqual({ text: '', usage: { type: 'duration', seconds: 60 } });
  });

  test('the length of the sound is what is paid for', async () => {
    const usage = () =>
      daemon.services.store
        .prepare("SELECT seconds, cost_n, outcome FROM usage WHERE task = 'transcribe' ORDER BY rowid DESC LIMIT 1")
        .get();
    await post(upload());
    expect(usage()).toEqual({ seconds: 1.32, cost_n: Math.ceil((0.006e9 * 1.32) / 60), outcome: 'finished' });
    await post(upload({}, soundFile('tone.flac').subarray(0, 30_000)));
    expect(usage()).toMatchObject({ seconds: 0, cost_n: 0, outcome: 'failed' });
  });

  test('a retry with the same key and file is answered from what is kept, though its form differs', async () => {
    const headers = { 'idempotency-key': 'one-and-the-same' };
    const first = await post(upload(), 'transcriptions', headers);
    const again = await post(upload(), 'transcriptions', headers);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await again.text()).toBe(await first.text());
    const other = await post(upload({}, wavOf(spoken('other'))), 'transcriptions', headers);
    expect(other.status).toBe(422);
  });

  test('a client that leaves ends the work, and the next one is served', async () => {
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

  test('many at once are heard one after the other, each whole, and the daemon stays quick', async () => {
    const texts = ['one', 'two', 'three', 'four', 'five', 'six'];
    const replies = await Promise.all(
      texts.map((text) => post(upload({ response_format: 'text' }, wavOf(spoken(text))))),
    );
    expect(await Promise.all(replies.map((reply) => reply.text()))).toEqual(texts.map((text) => `${text}\n`));
  });
});
