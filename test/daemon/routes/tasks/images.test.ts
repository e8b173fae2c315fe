import OpenAI from 'openai';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { busy, collect, eventually } from '../../../helpers/daemon/chat.ts';
import { openDaemon, send, startDaemon, type TestDaemon } from '../../../helpers/daemon/daemon.ts';
import { scriptedModel } from '../../../helpers/models/models.ts';
import { installImageModel, noiseImageModel } from '../../../helpers/models/pictures.ts';
import { wrongByOneLetter } from '../../../helpers/accounts/near-misses.ts';

type Result = {
  created: number;
  data: { url?: string; b64_json?: string; seed: number; expires_at?: number }[];
  size: string;
  output_format: string;
};

const SLOW_MS = 120_000;

describe('images', () => {
  let daemon: TestDaemon;
  const ask = { prompt: 'a cat', seed: 1, response_format: 'b64_json' };
  const post = (body: Record<string, unknown>, signal?: AbortSignal) =>
    fetch(`${daemon.baseURL}/images/generations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${daemon.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...ask, ...body }),
      ...(signal && { signal }),
    });
  const draw = async (body: Record<string, unknown> = {}) => {
    const reply = await post(body);
    const result = (await reply.json()) as Result;
    expect([reply.status, result]).toMatchObject([200, { data: [{}] }]);
    return { reply, result, picture: Buffer.from(result.data[0]?.b64_json ?? '', 'base64') };
  };
  const usage = () =>
    daemon.services.store
      .prepare<{ images: number; outcome: string; cost_n: number }>(
        "SELECT images, outcome, cost_n FROM usage WHERE task = 'draw' ORDER BY started_at, id",
      )
      .all();

  beforeAll(async () => {
    daemon = await openDaemon();
    installImageModel(daemon.services, await noiseImageModel());
    daemon.services.library.bind('svc-image-v1', 'painter');
    const talker = await scriptedModel('Any answer.');
    await daemon.services.library.importArtifact({ id: 'talker', path: talker.path, mode: 'link' });
  }, SLOW_MS);
  afterAll(() => daemon.close());

  test.each([
    ['1024x1024', 'png', 1024, 1024],
    ['1792x1024', 'jpeg', 1792, 1024],
    ['1024x1792', 'webp', 1024, 1792],
    ['512x512', 'png', 512, 512],
  ])('are %s in %s to the pixel', { timeout: SLOW_MS }, async (size, format, width, height) => {
    const { result, picture, reply } = await draw({ size, output_format: format });
    expect(await sharp(picture).metadata()).toMatchObject({ format, width, height });
    expect(result).toMatchObject({ size, output_format: format, data: [{ seed: 1 }] });
    expect(result.created).toBeGreaterThan(1.7e9);
    expect(reply.headers.get('x-askd-artifact')).toBe('painter');
  });

  test('are the same for the same seed, and different for another', { timeout: SLOW_MS }, async () => {
    const [first, again, other] = [await draw(), await draw(), await draw({ seed: 2 })];
    expect(again.picture.equals(first.picture)).toBe(true);
    expect(other.picture.equals(first.picture)).toBe(false);
    const chosen = await draw({ seed: undefined, model: undefined });
    const repeated = await draw({ seed: chosen.result.data[0]?.seed });
    expect(repeated.picture.equals(chosen.picture)).toBe(true);
  });

  test('of lower quality are smaller', { timeout: SLOW_MS }, async () => {
    const best = await draw({ output_format: 'jpeg', output_compression: 95 });
    const worst = await draw({ output_format: 'jpeg', output_compression: 5 });
    expect(worst.picture.length).toBeLessThan(best.picture.length);
  });

  test('cost the price of an image, however many steps it took', { timeout: SLOW_MS }, async () => {
    const before = usage().length;
    await draw({ steps: 7, negative_prompt: 'a dog' });
    expect(usage().slice(before)).toEqual([{ images: 1, outcome: 'finished', cost_n: 20_000_000 }]);
  });

  test('come to the official SDK, with and without a stream', { timeout: SLOW_MS }, async () => {
    const sdk = new OpenAI({ apiKey: daemon.key, baseURL: daemon.baseURL, maxRetries: 0 });
    const whole = await sdk.images.generate({ prompt: 'a cat', response_format: 'b64_json', n: 1 });
    expect(whole.data?.[0]?.b64_json?.slice(0, 8)).toBe('iVBORw0K');
    const stream = await sdk.images.generate({
      ...{ model: 'svc-image-v1', prompt: 'a cat', stream: true, partial_images: 1 },
      ...{ output_format: 'webp', quality: 'auto', background: 'opaque', size: '1024x1792' },
    });
    const events = await collect(stream);
    const types = events.map(({ type }) => type as string);
    expect(types.filter((type) => type !== 'image_generation.progress')).toEqual([
      'image_generation.partial_image',
      'image_generation.completed',
    ]);
    const pictures = events.flatMap((event) => ('b64_json' in event ? [event.b64_json] : []));
    for (const picture of pictures) {
      const { format, width, height } = await sharp(Buffer.from(picture, 'base64')).metadata();
      expect([format, width, height]).toEqual(['webp', 1024, 1792]);
    }
  });

  test('requested at once are generated one after the other, each whole', { timeout: SLOW_MS }, async () => {
    const seeds = [11, 12, 13, 14];
    const before = usage().length;
    const drawn = await Promise.all(seeds.map((seed) => draw({ seed, steps: 1 })));
    expect(drawn.map(({ result }) => result.data[0]?.seed)).toEqual(seeds);
    expect(new Set(drawn.map(({ picture }) => picture.toString('base64'))).size).toBe(seeds.length);
    const alone = await draw({ seed: 13, steps: 1 });
    expect(alone.picture.equals(drawn[2]?.picture ?? Buffer.alloc(0))).toBe(true);
    expect(usage().length - before).toBe(seeds.length + 1);
  });

  test('report progress in a stream after each step', { timeout: SLOW_MS }, async () => {
    const blocks = (await (await post({ stream: true, steps: 3, partial_images: 2 })).text())
      .trimEnd()
      .split('\n\n');
    expect(blocks.at(-1)).toBe('data: [DONE]');
    const events = blocks.slice(0, -1).map((block) => {
      const [name = '', data = ''] = block.split('\n');
      const event = JSON.parse(data.replace('data: ', '')) as { type: string; step?: number; steps?: number };
      expect(name).toBe(`event: ${event.type}`);
      return event;
    });
    const steps = events.filter(({ type }) => type === 'image_generation.progress');
    expect(steps.at(-1)).toMatchObject({ step: 6, steps: 6 });
    const reported = steps.map(({ step = 0 }) => step);
    expect(reported).toEqual(reported.toSorted((a, b) => a - b));
    expect(new Set(reported).size).toBe(7);
    const indexes = events.flatMap((event) =>
      'partial_image_index' in event ? [event.partial_image_index] : [],
    );
    expect(indexes).toEqual([0, 1]);
    expect(events.at(-1)).toMatchObject({ type: 'image_generation.completed', seed: 1, size: '1024x1024' });
  });

  test(
    'stop when the client disconnects: the next starts at once, and nothing is charged',
    { timeout: SLOW_MS },
    async () => {
      const before = usage().length;
      const abort = new AbortController();
      const reply = await post({ stream: true, steps: 100 }, abort.signal);
      const reader = reply.body?.getReader();
      await reader?.read();
      expect(busy(daemon)).toBe(1);
      abort.abort();
      await eventually(() => busy(daemon)).toBe(0);
      expect(usage().slice(before)).toEqual([{ images: 0, outcome: 'disconnected', cost_n: 0 }]);
      await draw();
    },
  );

  test('have the default size and quality, whatever else is requested', { timeout: SLOW_MS }, async () => {
    const { result, reply } = await draw({ size: 'auto', quality: 'hd', style: 'vivid' });
    expect([result, reply.headers.get('x-askd-ignored')]).toMatchObject([
      { size: '1024x1024', quality: 'standard' },
      'style, quality',
    ]);
  });

  const refusals: [body: object, status: number, code: string, param: string][] = [
    [{ prompt: undefined }, 400, 'missing_required_parameter', 'prompt'],
    [{ prompt: '' }, 400, 'invalid_value', 'prompt'],
    [{ prompt: ['a'] }, 400, 'invalid_value', 'prompt'],
    [{ prompt: 'a'.repeat(4001) }, 400, 'invalid_value', 'prompt'],
    [{ n: 2 }, 400, 'unsupported_parameter', 'n'],
    [{ size: '640x480' }, 400, 'invalid_value', 'size'],
    [{ response_format: 'png' }, 400, 'invalid_value', 'response_format'],
    [{ output_format: 'gif' }, 400, 'invalid_value', 'output_format'],
    [{ output_compression: 50 }, 400, 'invalid_value', 'output_compression'],
    [{ output_format: 'jpeg', output_compression: 101 }, 400, 'invalid_value', 'output_compression'],
    [{ seed: -1 }, 400, 'invalid_value', 'seed'],
    [{ seed: 1.5 }, 400, 'invalid_value', 'seed'],
    [{ seed: 2 ** 32 }, 400, 'invalid_value', 'seed'],
    [{ steps: 0 }, 400, 'invalid_value', 'steps'],
    [{ steps: 101 }, 400, 'invalid_value', 'steps'],
    [{ negative_prompt: 'a'.repeat(4001) }, 400, 'invalid_value', 'negative_prompt'],
    [{ partial_images: 1 }, 400, 'invalid_value', 'partial_images'],
    [{ stream: true, partial_images: 4 }, 400, 'invalid_value', 'partial_images'],
    [{ image: 'https://example.com/a.png' }, 400, 'unsupported_parameter', 'image'],
    [{ background: 'transparent' }, 400, 'unsupported_parameter', 'background'],
    [{ stlye: 'vivid', siez: '512x512' }, 400, 'unsupported_parameter', 'siez'],
    [{ model: 'nobody' }, 404, 'model_not_found', 'model'],
    [{ model: 'talker' }, 400, 'model_capability_mismatch', 'model'],
    [{ model: 'svc-chat-v1' }, 400, 'model_capability_mismatch', 'model'],
  ];
  const named = refusals.map(
    ([body, ...rest]) => [JSON.stringify(body).slice(0, 60), ...rest, body] as const,
  );
  test.each(named)('%s is %d %s', async (_name, status, code, param, body) => {
    const reply = await post(body as Record<string, unknown>);
    expect([reply.status, await reply.json()]).toMatchObject([status, { error: { code, param } }]);
  });

  describe('by address', () => {
    const draw1 = async (format = 'png') => {
      const { result } = await draw({ response_format: undefined, output_format: format });
      return new URL(result.data[0]?.url ?? '');
    };
    const get = (url: URL) => send({ port: daemon.port, path: url.pathname + url.search });

    test('can be fetched without a key, as an image and nothing else', { timeout: SLOW_MS }, async () => {
      const url = await draw1('webp');
      const reply = await fetch(url);
      expect(await sharp(Buffer.from(await reply.arrayBuffer())).metadata()).toMatchObject({
        format: 'webp',
        width: 1024,
      });
      expect(Object.fromEntries(reply.headers)).toMatchObject({
        'content-type': 'image/webp',
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'cross-origin',
        'cache-control': expect.stringMatching(/^private, max-age=3[56]\d\d, immutable$/),
      });
      expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
    });

    test('need exactly the signed parameters', { timeout: SLOW_MS }, async () => {
      const url = await draw1();
      const changed = (change: (copy: URL) => void) => {
        const copy = new URL(url);
        change(copy);
        return copy;
      };
      const other = await draw1();
      const signature = url.searchParams.get('signature') ?? '';
      const attempts = [
        changed((copy) => copy.searchParams.set('signature', wrongByOneLetter(signature))),
        changed((copy) => copy.searchParams.set('signature', '')),
        changed((copy) => copy.searchParams.set('signature', 'é'.repeat(signature.length))),
        changed((copy) => copy.searchParams.set('expires', '99999999999')),
        changed((copy) => (copy.pathname = other.pathname)),
        changed((copy) => (copy.pathname = '/images/..%2f..%2froot-token')),
        changed((copy) => (copy.pathname = '/images/%2e%2e%2froot-token')),
      ];
      for (const attempt of attempts) {
        const reply = await get(attempt);
        expect([attempt.href, reply.status]).toEqual([attempt.href, 403]);
        expect(reply.json()).toMatchObject({ error: { code: 'image_address_invalid' } });
      }
      expect((await get(changed((copy) => copy.searchParams.delete('signature')))).status).toBe(400);
      expect((await get(url)).status).toBe(200);
    });
  });
});

test('an address expires, and its image is deleted', { timeout: SLOW_MS }, async () => {
  const daemon = await startDaemon({ ASKD_IMAGE_URL_TTL: '2s' });
  installImageModel(daemon.services, await noiseImageModel());
  const reply = await daemon.call('POST', '/v1/images/generations', {
    body: { model: 'painter', prompt: 'x' },
  });
  const url = new URL(reply.json<Result>().data[0]?.url ?? '');
  const status = async () => (await fetch(url)).status;
  await expect.poll(status, { timeout: 20_000, interval: 200 }).toBe(410);
  expect(((await (await fetch(url)).json()) as { error: { code: string } }).error.code).toBe('image_expired');
});

test('a crash in native code fails one request, and the next is served', { timeout: SLOW_MS }, async () => {
  const daemon = await startDaemon();
  installImageModel(daemon.services, await noiseImageModel({ hasEncoder: false }));
  const ask = () =>
    daemon.call('POST', '/v1/images/generations', { body: { model: 'painter', prompt: 'x' } });
  for (const reply of [await ask(), await ask()]) {
    expect([reply.status, reply.json()]).toMatchObject([503, { error: { code: 'runner_crashed' } }]);
    expect(reply.text).toContain('SIGSEGV');
  }
  expect((await daemon.call('GET', '/v1/models')).status).toBe(200);
});
