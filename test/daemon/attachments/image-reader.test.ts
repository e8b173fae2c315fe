import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createImageReader } from '../../../daemon/attachments/image-reader.ts';
import { createGuard } from '../../../src/net/guard.ts';
import { createOutbound } from '../../../src/net/outbound.ts';
import { busy, collect, daemonWith, eventually, openDaemonWith } from '../../helpers/daemon/chat.ts';
import { scriptedModel, visionModel } from '../../helpers/models/models.ts';
import { pictureFile, pictureUrl, type PictureFormat } from '../../helpers/models/image-files.ts';

const text = { type: 'text' as const, text: 'What is it?' };
const imageAt = (url: string) => ({ type: 'image_url' as const, image_url: { url } });

async function daemonThatSees(env: Record<string, string> = {}) {
  const { path, projector } = await visionModel();
  const daemon = await openDaemonWith({}, env);
  onTestFinished(daemon.close);
  await daemon.services.library.importArtifact({ id: 'm', path, projector, mode: 'link' });
  daemon.services.library.bind('svc-vision-v1', 'm');
  const ask = (...parts: object[]) =>
    daemon.chat({
      messages: [{ role: 'user', content: [text, ...parts] }],
      max_tokens: 6,
      temperature: 0,
    });
  return { ...daemon, ask };
}

test('an official client asks svc-vision-v1 about images, whole and as a stream, and pays for them', async () => {
  const { sdk, services } = await daemonThatSees();
  const body = {
    model: 'svc-vision-v1',
    messages: [
      {
        role: 'user' as const,
        content: [text, imageAt(await pictureUrl('red')), imageAt(await pictureUrl('lime'))],
      },
    ],
    max_tokens: 8,
    temperature: 0,
  };
  const whole = await sdk.chat.completions.create(body);
  const chunks = await collect(
    await sdk.chat.completions.create({ ...body, stream: true, stream_options: { include_usage: true } }),
  );
  const streamed = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
  expect(streamed).toBe(whole.choices[0]?.message.content);
  expect(chunks.at(-1)?.usage?.prompt_tokens).toBe(whole.usage?.prompt_tokens);
  const rows = services.store.prepare('SELECT prompt_tokens, completion_tokens, outcome FROM usage').all();
  const { prompt_tokens, completion_tokens } = whole.usage ?? {};
  const row = { prompt_tokens, completion_tokens, outcome: 'finished' };
  expect(rows).toEqual([row, row]);
});

describe('an image', () => {
  test.each<PictureFormat>(['png', 'jpeg', 'webp', 'gif'])('in %s is read', async (format) => {
    const { ask } = await daemonThatSees();
    expect((await ask(imageAt(await pictureUrl('red', format)))).status).toBe(200);
  });

  const png = async () => (await pictureUrl('red')).split(',')[1] ?? '';
  test.each([
    ['without base64', () => 'data:image/png,hello'],
    ['with what is not base64', () => 'data:image/png;base64,%%%'],
    ['with a space in its base64', async () => (await pictureUrl('red')).replace(/.{9}$/, ' $&')],
    ['with the letters of base64url', async () => (await pictureUrl('red')).replace(/.{9}$/, '-_-_$&')],
    ['that goes on after its end', async () => `${await pictureUrl('red')}====`],
    ['that is text', () => `data:image/png;base64,${Buffer.from('hello').toString('base64')}`],
    ['that is empty', () => 'data:image/png;base64,'],
    ['from a file', () => 'file:///etc/passwd'],
    ['at an address', () => 'https://example.com/cat.png'],
  ])('%s is refused before the model is loaded', async (_what, url) => {
    const { ask, services } = await daemonThatSees();
    const reply = await ask(imageAt(await url()));
    expect([reply.status, reply.json()]).toMatchObject([
      400,
      { error: { code: 'invalid_value', param: 'messages[0].content[1].image_url.url' } },
    ]);
    expect(services.pool.status()).toEqual([]);
  });

  test('that breaks off is refused without ending the runner', async () => {
    const { ask, services } = await daemonThatSees();
    const cut = `data:image/png;base64,${(await png()).slice(0, 100)}`;
    const reply = await ask(imageAt(cut));
    expect([reply.status, reply.json()]).toMatchObject([
      400,
      { error: { message: expect.stringContaining('Image 1') as string } },
    ]);
    const [before] = services.pool.status();
    expect((await ask(imageAt(await pictureUrl('red')))).status).toBe(200);
    expect(services.pool.status()[0]?.pid).toBe(before?.pid);
  });

  test('with more bytes or pixels than the settings allow is refused with both numbers', async () => {
    const bytes = await daemonThatSees({ ASKD_IMAGE_BYTES_MAX: '50' });
    expect((await bytes.ask(imageAt(await pictureUrl('red')))).text).toMatch(
      /has \d+ bytes, and image_bytes_max is 50/,
    );
    const pixels = await daemonThatSees({ ASKD_IMAGE_PIXELS_MAX: '1000' });
    expect((await pixels.ask(imageAt(await pictureUrl('red')))).text).toMatch(
      /32 × 32 pixels.*image_pixels_max is 1000/,
    );
  });

  test('sent to a model that reads none names one that does, and loads nothing', async () => {
    const { chat, services } = await daemonWith({ m: await scriptedModel('hi') });
    const messages = [{ role: 'user', content: [text, imageAt(await pictureUrl('red'))] }];
    const reply = await chat({ messages });
    expect([reply.status, reply.json()]).toMatchObject([
      400,
      {
        error: {
          code: 'model_capability_mismatch',
          message: expect.stringContaining('askd pull svc-vision-v1') as string,
        },
      },
    ]);
    expect(services.pool.status()).toEqual([]);
    expect(() => services.library.bind('svc-vision-v1', 'm')).toThrow(/does not accept images/);
  });

  test('in the system prompt is refused', async () => {
    const { chat } = await daemonThatSees();
    const reply = await chat({
      messages: [
        { role: 'system', content: [imageAt(await pictureUrl('red'))] },
        { role: 'user', content: 'hi' },
      ],
    });
    expect(reply.json()).toMatchObject({ error: { code: 'invalid_value', param: 'messages[0].content' } });
  });
});

test('a client that disconnects ends the work, and the next one is served', async () => {
  const { sdk, ask, ...daemon } = await daemonThatSees({ ASKD_MODEL_SLOTS: '1' });
  const leaving = new AbortController();
  const stream = await sdk.chat.completions.create(
    { model: 'm', messages: [{ role: 'user', content: 'hello' }], stream: true },
    { signal: leaving.signal },
  );
  for await (const chunk of stream) if (chunk.choices[0]?.delta.content) leaving.abort();
  await eventually(() => busy(daemon)).toBe(0);
  expect((await ask()).status).toBe(200);
});

describe('an image at an address', () => {
  async function reader(files: Record<string, Buffer>, isOn = true) {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      const path = request.url ?? '';
      asked.push(path);
      const file = files[path];
      if (path === '/moved.png') return void response.writeHead(302, { location: '/cat.png' }).end();
      if (!file) return void response.writeHead(404).end();
      response.end(file);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const guard = createGuard({ allowCidrs: ['127.0.0.0/8'] });
    const limits = { imageBytesMax: 10_000, imagePixelsMax: 10_000, imageUrls: isOn };
    const read = createImageReader(limits, () => createOutbound({ guard }));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { asked, read: (path: string) => read(base + path, 'url', new AbortController().signal) };
  }

  test('is fetched where the setting allows it, if it is known to be an image', async () => {
    const file = await pictureFile('red', 'webp');
    const { read } = await reader({ '/cat.webp': file, '/page.png': Buffer.from('<html>') });
    expect(await read('/cat.webp')).toEqual({
      type: 'image',
      data: file.toString('base64'),
      mime: 'image/webp',
    });
    await expect(read('/page.png')).rejects.toThrow('not a PNG, JPEG, WebP or GIF');
    await expect(read('/nothing.png')).rejects.toThrow('answered 404');
    await expect(read('/moved.png')).rejects.toThrow('answered 302');
  });

  test('that is too long is not read to its end', async () => {
    const { read } = await reader({ '/long.png': Buffer.alloc(1_000_000) });
    await expect(read('/long.png')).rejects.toThrow('more than image_bytes_max');
  });

  test('is not requested where the setting is off', async () => {
    const { read, asked } = await reader({}, false);
    await expect(read('/cat.png')).rejects.toThrow('image_urls');
    expect(asked).toEqual([]);
  });

  test('in a private network is not reached, whatever the setting says', async () => {
    const { ask } = await daemonThatSees({ ASKD_IMAGE_URLS: 'true' });
    for (const url of ['http://127.0.0.1:1/a.png', 'https://10.0.0.1/a.png', 'https://localhost/a.png']) {
      const reply = await ask(imageAt(url));
      expect([url, reply.status]).toEqual([url, 400]);
      expect(reply.text).toContain('its URL cannot be used');
    }
  });
});
