import type { ServerResponse } from 'node:http';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { busy, eventually } from '../../../helpers/daemon/chat.ts';
import {
  bytesOf,
  draw,
  transcribe,
  inFrontOf,
  refusalOf,
  say,
  type Task,
} from '../../../helpers/servers/media-upstreams.ts';
import {
  scriptedServer,
  sendEvent,
  sendJson,
  type Answer,
} from '../../../helpers/servers/scripted-server.ts';
import { soundFile, spoken, wavOf } from '../../../helpers/models/sounds.ts';

const hello = wavOf(spoken('hello world'));

describe('several servers for speech and images', () => {
  const full: Answer = (_, response) => sendJson(response, 503, { error: { message: 'full' } });

  test('one that fails before it answers is skipped, and the next gets the whole file', async () => {
    const busyServer = await scriptedServer(full);
    const good = await scriptedServer((_, response) =>
      sendJson(response, 200, { text: 'olá', language: 'portuguese', duration: 1.5 }),
    );
    const front = await inFrontOf(
      ['http://127.0.0.1:9/v1', `${busyServer.url}/v1`, `${good.url}/v1`],
      'transcribe',
    );
    const fields = { response_format: 'verbose_json', prompt: 'Names: Olá', language: 'pt' };
    for (let turn = 0; turn < 4; turn++) {
      expect(await (await transcribe(front, soundFile('tone.m4a'), fields)).json()).toMatchObject({
        ...{
          text: 'olá',
          language: 'portuguese',
          duration: 1.5,
          segments: [{ start: 0, end: 1.5, text: 'olá' }],
        },
      });
    }
    const form = String(good.seen[0]?.body);
    expect(form).toContain(soundFile('tone.m4a').toString('latin1'));
    expect(form).toContain('filename="sound.mp4"');
    expect(form).toMatch(/name="model"\r\n\r\nm\r\n/);
    expect(form).toMatch(/name="language"\r\n\r\npt\r\n/);
    expect(good.seen.length).toBe(4);
  });

  test('audio fails over before its first byte, and breaks off after it', async () => {
    const empty = await scriptedServer(
      (_, response) => void response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(),
    );
    const good = await scriptedServer((_, response) => void response.end('sound'));
    const front = await inFrontOf([`${empty.url}/v1`, `${good.url}/v1`], 'speak');
    for (let turn = 0; turn < 2; turn++) expect((await bytesOf(say(front, {}))).toString()).toBe('sound');
    expect(good.seen[0]?.body).toMatchObject({
      model: 'm',
      input: 'Hello world',
      voice: 'alloy',
      response_format: 'mp3',
    });

    const breaking = await scriptedServer(async (_, response) => {
      response.write('half of the sound');
      await new Promise((resolve) => setImmediate(resolve));
      response.destroy();
    });
    const behindIt = await inFrontOf([`${breaking.url}/v1`], 'speak');
    const reply = await say(behindIt, {});
    expect(reply.status).toBe(200);
    await expect(reply.arrayBuffer()).rejects.toThrow();
    await eventually(() => busy(behindIt)).toBe(0);
  });

  test.each<[Task, Answer, number, string, RegExp]>([
    [
      'transcribe',
      (_, response) => sendJson(response, 200, { words: [] }),
      502,
      'upstream_failed',
      /has no text/,
    ],
    ['transcribe', (_, response) => void response.end('{'), 502, 'upstream_failed', /cannot be parsed/],
    ['transcribe', full, 503, 'upstream_unavailable', /full/],
    [
      'speak',
      (_, response) => sendJson(response, 200, { ok: true }),
      502,
      'upstream_failed',
      /instead of audio/,
    ],
    ['speak', (_, response) => sendJson(response, 401, {}), 502, 'upstream_refused', /rejected its API key/],
    [
      'draw',
      (_, response) => sendJson(response, 200, { data: [{ url: 'x' }] }),
      502,
      'upstream_failed',
      /no image/,
    ],
    [
      'draw',
      (_, response) => void sendPicture(response, 512),
      502,
      'upstream_failed',
      /png of 512x512 instead of webp of 1024x1024/,
    ],
    ['draw', full, 503, 'upstream_unavailable', /full/],
  ])('%s: a bad answer is reported as such', async (task, answer, status, code, message) => {
    const server = await scriptedServer(answer);
    const front = await inFrontOf([`${server.url}/v1`], task);
    const ask = {
      transcribe: () => transcribe(front, hello),
      speak: () => say(front, {}),
      draw: () => draw(front, { output_format: 'webp' }),
    };
    expect(await refusalOf(ask[task]())).toMatchObject({
      ...{ status, code, message: expect.stringMatching(message) as string },
    });
    await eventually(() => busy(front)).toBe(0);
  });

  test('word timestamps that the server cannot give are refused, not left out', async () => {
    const server = await scriptedServer((_, response) =>
      sendJson(response, 200, { text: 'hello', segments: [] }),
    );
    const front = await inFrontOf([`${server.url}/v1`], 'transcribe');
    const fields = { response_format: 'verbose_json', 'timestamp_granularities[]': ['word'] };
    expect(await refusalOf(transcribe(front, hello, fields))).toMatchObject({
      status: 400,
      code: 'unsupported_parameter',
    });
  });

  test('a stream of drafts that breaks off on the server breaks off here', async () => {
    const server = await scriptedServer((_, response) => {
      sendEvent(response, { type: 'image_generation.progress', step: 1, steps: 4 });
      response.end();
    });
    const front = await inFrontOf([`${server.url}/v1`], 'draw');
    const text = await (await draw(front, { stream: true, partial_images: 1 })).text();
    expect(text).toContain('"step":1');
    expect(text).toContain('"code":"upstream_failed"');
    expect(text).not.toContain('[DONE]');
  });
});

async function sendPicture(response: ServerResponse, side: number): Promise<void> {
  const picture = await sharp({ create: { width: side, height: side, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  sendJson(response, 200, { data: [{ b64_json: picture.toString('base64') }] });
}
