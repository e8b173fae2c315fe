import { request as requestHttp } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  openListeningDaemon,
  refusalOf,
  type ListeningDaemon,
} from '../../../helpers/models/transcribing.ts';
import { soundFile, spoken, wavOf } from '../../../helpers/models/sounds.ts';

const BYTES_MAX = 4 * 1024 * 1024;
const SECONDS_MAX = 600;

describe('a transcription is refused', { timeout: 60_000 }, () => {
  let daemon: ListeningDaemon;
  const upload = (...given: Parameters<ListeningDaemon['upload']>) => daemon.upload(...given);
  const post = (...given: Parameters<ListeningDaemon['post']>) => daemon.post(...given);

  beforeAll(async () => {
    const limits = { ASKD_AUDIO_BYTES_MAX: String(BYTES_MAX), ASKD_AUDIO_SECONDS_MAX: String(SECONDS_MAX) };
    daemon = await openListeningDaemon(limits);
    await post(upload());
  }, 120_000);
  afterAll(() => daemon.close());

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
      ['MIDI', () => Buffer.from('MThd\x00\x00\x00\x06', 'latin1'), /notes but no audio/],
      ['noise', () => Buffer.alloc(5000, 0x5a ^ 0xff), /not in a supported audio format/],
      ['half a WAV', () => cut('tone.wav'), /truncated/],
      ['half an MP3', () => cut('tone.mp3'), /truncated/],
      ['half an M4A', () => cut('tone.m4a'), /truncated|moov/],
      ['half an M4A that begins with its description', () => cut('begins-with-description.m4a'), /truncated/],
      ['half a WebM', () => cut('tone.webm'), /truncated/],
      ['half an Ogg', () => cut('tone.ogg'), /truncated/],
      ['half a FLAC', () => cut('tone.flac', 0.3), /truncated or damaged/],
      ['a WAV without sound', () => wavOf(new Float32Array()), /no audio|no sound/],
      ['a FLAC of noise', () => garbled('tone.flac'), /damaged|decoded/],
      ['an MP4 of noise', () => garbled('tone.m4a'), /./],
      ['an Ogg of noise', () => garbled('tone.ogg'), /./],
    ])('%s', async (_name, file, reason) => {
      expect(await refusalOf(await post(upload({}, file())))).toMatchObject({
        status: 400,
        code: 'invalid_audio',
        param: 'file',
        message: expect.stringMatching(reason),
      });
    });
  });

  test('a small file that plays for longer than is allowed is refused, whatever its header says', async () => {
    const endless = wavOf(spoken('a'), { rate: 2000, saysBytes: 0xffffffff });
    const minutes = Buffer.concat([endless, Buffer.alloc(3_000_000)]);
    const liar = Buffer.from(soundFile('tone.flac'));
    liar.writeUInt32BE(2 ** 31, 22);
    for (const file of [minutes, liar]) {
      expect(await refusalOf(await post(upload({}, file)))).toMatchObject({
        status: 400,
        code: 'audio_too_long',
      });
    }
  });

  describe('an invalid request is refused with the reason', () => {
    test.each<[Record<string, string | string[]>, number, string, string | null]>([
      [{ model: 'talker' }, 400, 'model_capability_mismatch', 'model'],
      [{ model: 'nobody' }, 404, 'model_not_found', 'model'],
      [{ response_format: 'docx' }, 400, 'invalid_value', 'response_format'],
      [{ temperature: '7' }, 400, 'invalid_value', 'temperature'],
      [{ 'known_speaker_names[]': ['Ann'] }, 400, 'unsupported_parameter', 'known_speaker_names'],
      [{ language: 'Klingonish' }, 400, 'invalid_value', 'language'],
      [{ 'timestamp_granularities[]': ['word'] }, 400, 'invalid_value', 'timestamp_granularities'],
      [
        { 'timestamp_granularities[]': ['word'], response_format: 'verbose_json' },
        400,
        'unsupported_parameter',
        'timestamp_granularities[]',
      ],
    ])('%j', async (fields, status, code, param) => {
      expect(await refusalOf(await post(upload(fields)))).toMatchObject({ status, code, param });
    });

    test('without a file, with two, or with JSON', async () => {
      const none = new FormData();
      none.set('model', 'listener');
      expect(await refusalOf(await post(none))).toMatchObject({ status: 400, param: 'file' });
      const two = upload();
      two.append('file', new Blob(['x']), 'more.wav');
      expect(await refusalOf(await post(two))).toMatchObject({ status: 400, param: 'file' });
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

  describe('a file that is too large is refused before it has arrived', () => {
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
        request.write(
          `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="x.wav"\r\n\r\n`,
        );
        const more = (): void => {
          if (request.destroyed || sent === chunks) return;
          sent += 1;
          request.write(Buffer.alloc(256 * 1024), () => setImmediate(more));
        };
        more();
      });

    test('by its declared size', async () => {
      expect(await send({ 'content-length': String(100 * 1024 * 1024) }, 0)).toEqual({
        status: 413,
        sent: 0,
      });
    });

    test('while it arrives, when it does not declare its size', async () => {
      const { status, sent } = await send({ 'transfer-encoding': 'chunked' }, 400);
      expect(status).toBe(413);
      // Of its 100 MiB, no more was read than the limit and what was in flight.
      expect(sent * 256 * 1024).toBeLessThan(32 * 1024 * 1024);
    });
  });
});
