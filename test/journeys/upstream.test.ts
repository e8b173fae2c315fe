import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { isAlive } from '../../src/base/presence.ts';
import { install } from '../helpers/daemon/installation.ts';
import { endlessModel } from '../helpers/models/models.ts';

const hello = [{ role: 'user' as const, content: 'hello' }];

test('the daemon behind another dies in mid-stream, which fails that stream, and is used again when it is back', async () => {
  // Outside the system's ephemeral ports: while it is down, nobody else may get it.
  const back = install({ ASKD_PORT: String(10_000 + (process.pid % 20_000)) });
  const first = (await back.askd(['up', '--json'])).json<{ base_url: string; pid: number }>();
  const { key: backKey } = (await back.askd(['keys', 'create', '--name', 'front', '--json'])).json<{
    key: string;
  }>();
  const { path } = await endlessModel();
  expect((await back.askd(['import', path, '--id', 'endless', '--no-check'])).exitCode).toBe(0);

  const front = install();
  const { base_url: baseURL } = (await front.askd(['up', '--json'])).json<{ base_url: string }>();
  const { key } = (await front.askd(['keys', 'create', '--name', 'test', '--json'])).json<{ key: string }>();
  const add = ['upstream', 'add', 'far', '--url', first.base_url, '--model', 'endless', '--key-stdin'];
  const added = await front.askd(add, { input: `${backKey}\n` });
  expect([added.exitCode, added.stdout]).toEqual([0, expect.stringContaining('far is served by')]);
  const sdk = new OpenAI({ apiKey: key, baseURL, maxRetries: 0 });
  const ask = () => sdk.chat.completions.create({ model: 'far', messages: hello, max_tokens: 3 });
  expect((await ask()).choices[0]?.finish_reason).toBe('length');

  const response = await fetch(`${baseURL}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'far', messages: hello, stream: true, max_tokens: 8000 }),
  });
  const reader = (response.body as ReadableStream<Uint8Array>)
    .pipeThrough(new TextDecoderStream())
    .getReader();
  let text = '';
  while (!text.includes('"content":"and')) {
    const part = await reader.read();
    expect(part.done, text).toBe(false);
    text += part.value;
  }
  process.kill(first.pid, 'SIGKILL');
  for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value;
  expect(text).toContain('"code":"upstream_failed"');
  expect(text).not.toContain('[DONE]');

  await expect.poll(() => isAlive(first.pid), { timeout: 30_000 }).toBe(false);
  await expect(ask()).rejects.toMatchObject({ status: 503, code: 'upstream_unavailable' });

  expect((await back.askd(['up', '--json'])).json<{ base_url: string }>().base_url).toBe(first.base_url);
  expect((await ask()).choices[0]?.finish_reason).toBe('length');
});
