import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collect, eventually, openDaemonWith, type ChatDaemon } from '../../../helpers/daemon/chat.ts';
import {
  addUpstream,
  bytesOf,
  bytesOfPicture,
  draw,
  transcribe,
  refusalOf,
  say,
} from '../../../helpers/servers/media-upstreams.ts';
import { installImageModel, noiseImageModel } from '../../../helpers/models/pictures.ts';
import { soundFile, spoken, toneTranscriber, wavOf } from '../../../helpers/models/sounds.ts';
import { shareBeforeFirstBytes, toneSynthesizer } from '../../../helpers/models/speaking.ts';
import { leastOf } from '../../../helpers/timing.ts';

const hello = wavOf(spoken('hello world'));

describe('a daemon in front of another', { timeout: 120_000 }, () => {
  let back: ChatDaemon;
  let front: ChatDaemon;

  beforeAll(async () => {
    const listener = await toneTranscriber({ language: 'fr', showsAttention: true });
    back = await openDaemonWith({ ears: listener, mouth: await toneSynthesizer() });
    installImageModel(back.services, await noiseImageModel());
    front = await openDaemonWith({});
    const key = back.key;
    await addUpstream(front, [back.baseURL], 'transcribe', { id: 'ears', model: 'ears', key });
    await addUpstream(front, [back.baseURL], 'speak', { id: 'mouth', model: 'mouth', key });
    await addUpstream(front, [back.baseURL], 'draw', { id: 'painter', model: 'painter', key });
  }, 120_000);
  afterAll(async () => {
    await front.close();
    await back.close();
  });

  const usage = (task: string) =>
    front.services.store
      .prepare(
        `SELECT seconds, characters, images, outcome FROM usage WHERE task = ? ORDER BY rowid DESC LIMIT 1`,
      )
      .get(task);

  test('transcribes through it: every format, word timestamps, language and usage', async () => {
    const fields = {
      model: 'ears',
      response_format: 'verbose_json',
      'timestamp_granularities[]': ['word', 'segment'],
    };
    const [through, direct] = await Promise.all(
      [front, back].map(async (daemon) => {
        const reply = await transcribe(daemon, hello, fields);
        return [reply.status, reply.headers.get('x-askd-device'), (await reply.json()) as object] as const;
      }),
    );
    expect(through?.[2]).toEqual(direct?.[2]);
    expect(through).toMatchObject([200, 'upstream', { text: 'hello world', language: 'french' }]);
    expect(through?.[2]).toMatchObject({
      words: [{ word: 'hello' }, { word: 'world' }],
      usage: { type: 'duration' },
    });
    await eventually(() => usage('transcribe')).toMatchObject({ seconds: 1.32, outcome: 'finished' });
    for (const response_format of ['srt', 'vtt', 'text', 'json']) {
      const [far, near] = await Promise.all(
        [front, back].map(async (daemon) =>
          (await transcribe(daemon, hello, { model: 'ears', response_format })).text(),
        ),
      );
      expect(far).toBe(near);
    }
    const english = await transcribe(
      front,
      hello,
      { model: 'ears', response_format: 'text' },
      '/audio/translations',
    );
    expect(await english.text()).toBe('HELLO WORLD\n');
    const streamed = await (await transcribe(front, hello, { model: 'ears', stream: 'true' })).text();
    expect(streamed).toContain('"type":"transcript.text.done","text":"hello world"');
  });

  test('transcribes audio of unknown length, and charges what the server counted', async () => {
    const reply = await transcribe(front, soundFile('tone.aac'), { model: 'ears' });
    expect([reply.status, await reply.json()]).toMatchObject([200, { usage: { type: 'duration' } }]);
    const { seconds } = usage('transcribe') as { seconds: number };
    expect(seconds).toBeGreaterThan(1.3);
    expect(seconds).toBeLessThan(1.8);
  });

  test("passes on the other's refusals", async () => {
    expect(await refusalOf(transcribe(front, hello, { model: 'ears', language: 'yo' }))).toMatchObject({
      ...{ status: 400, code: 'invalid_value', param: 'language' },
    });
    const noise = Buffer.from(soundFile('tone.flac'));
    for (let at = 600; at < noise.length; at++) noise[at] = (at * 7919) % 251;
    expect(await refusalOf(transcribe(front, noise, { model: 'ears' }))).toMatchObject({
      status: 400,
      code: 'invalid_audio',
    });
    expect(await refusalOf(say(front, { model: 'mouth', voice: 'nobody' }))).toMatchObject({
      ...{ status: 400, code: 'invalid_value', param: 'voice' },
    });
    expect(await refusalOf(transcribe(front, hello, { model: 'mouth' }))).toMatchObject({
      code: 'model_capability_mismatch',
    });
  });

  test('speaks the same bytes through it, and the first before the last is generated', async () => {
    for (const response_format of ['wav', 'mp3']) {
      const body = { model: 'mouth', voice: 'echo', speed: 1.5, response_format };
      expect(await bytesOf(say(front, body))).toEqual(await bytesOf(say(back, body)));
    }
    await eventually(() => usage('speak')).toMatchObject({ characters: 11, outcome: 'finished' });
    const input = 'One more sentence of some length is said here. '.repeat(30);
    const shareBeforeSound = () => shareBeforeFirstBytes(() => say(front, { model: 'mouth', input }));
    expect(await leastOf(3, shareBeforeSound, { enough: 0.5 })).toBeLessThan(0.5);
  });

  test('ends the work on the other when its own client leaves', async () => {
    const leaving = new AbortController();
    const input = 'One more sentence of some length is said here. '.repeat(80);
    const reply = await say(front, { model: 'mouth', input }, leaving.signal);
    await reply.body?.getReader().read();
    leaving.abort();
    await eventually(() => usage('speak')).toMatchObject({ outcome: 'disconnected' });
    const working = () => back.services.pool.status().filter((model) => model.busy > 0);
    await eventually(working).toEqual([]);
  });

  test('generates the same image through it, with drafts as a stream', async () => {
    const body = { model: 'painter', output_format: 'webp', size: '1792x1024', negative_prompt: 'a dog' };
    const [far, near] = [await bytesOfPicture(draw(front, body)), await bytesOfPicture(draw(back, body))];
    expect(far.equals(near)).toBe(true);
    expect(await sharp(far).metadata()).toMatchObject({ format: 'webp', width: 1792, height: 1024 });
    await eventually(() => usage('draw')).toMatchObject({ images: 1, outcome: 'finished' });
    const options = { model: 'painter', prompt: 'a cat', stream: true, partial_images: 1 } as const;
    const types = (await collect(await front.sdk.images.generate(options))).map(({ type }) => type as string);
    expect(types).toContain('image_generation.progress');
    expect(types.filter((type) => !type.endsWith('.progress'))).toEqual([
      'image_generation.partial_image',
      'image_generation.completed',
    ]);
  });
});
