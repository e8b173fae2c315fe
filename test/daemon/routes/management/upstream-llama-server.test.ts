import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startServer } from '../../../../scripts/bench/text/llama-server.ts';
import { packageRoot } from '../../../../src/base/paths.ts';
import { busy, collect, daemonWith, eventually, hello } from '../../../helpers/daemon/chat.ts';

/** Not part of askd: LLAMA_SERVER_BIN=/where/it/is/llama-server npm run test:only -- test/daemon/routes/management */
const BINARY = process.env['LLAMA_SERVER_BIN'] ?? '';
const MODEL = join(packageRoot, 'models/starter/chat/starter-chat.gguf');
const MINUTE = 60_000;

async function realServer(...args: string[]) {
  const sizes = ['--threads', '1', '--parallel', '2', '--ctx-size', '8192'];
  const server = await startServer(BINARY, ['--model', MODEL, '--jinja', ...sizes, ...args]);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

/** A daemon that serves `m` from these. */
async function inFrontOf(servers: { baseUrl: string }[], tasks = ['chat']) {
  const daemon = await daemonWith({});
  const urls = servers.map(({ baseUrl }) => baseUrl);
  const body = { id: 'm', base_urls: urls, model: 'starter-chat', tasks, context_tokens: 4096 };
  const added = await daemon.call('POST', '/api/daemon/upstreams', { body });
  expect([added.status, added.text]).toEqual([201, expect.any(String)]);
  return daemon;
}

const WEATHER = {
  type: 'function' as const,
  function: {
    name: 'weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};
const CHOICE = {
  type: 'json_schema' as const,
  json_schema: {
    name: 'choice',
    schema: {
      type: 'object',
      properties: { colour: { enum: ['red', 'blue'] } },
      required: ['colour'],
      additionalProperties: false,
    },
  },
};
const LONG = { model: 'm', messages: hello, max_tokens: 4000, logit_bias: {}, stream: true as const };

describe.skipIf(BINARY === '')('a daemon in front of a real llama-server', { timeout: MINUTE }, () => {
  test('gives its answer, whole and as a stream, with its token counts', async () => {
    const front = await inFrontOf([await realServer()]);
    const body = { model: 'm', messages: hello, max_tokens: 8, temperature: 0 };
    const whole = await front.sdk.chat.completions.create(body);
    expect(whole.choices[0]?.message.content).not.toBe('');
    expect(whole.usage).toMatchObject({ completion_tokens: 8 });
    const options = { stream: true as const, stream_options: { include_usage: true } };
    const chunks = await collect(await front.sdk.chat.completions.create({ ...body, ...options }));
    const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
    expect(text).toBe(whole.choices[0]?.message.content);
    expect(chunks.at(-1)?.usage).toMatchObject({
      prompt_tokens: whole.usage?.prompt_tokens,
      completion_tokens: 8,
    });
  });

  test('passes a tool call and an answer of a schema', async () => {
    const front = await inFrontOf([await realServer()]);
    const question = [{ role: 'user' as const, content: 'What is the weather in Paris?' }];
    const called = await front.sdk.chat.completions.create({
      ...{ model: 'm', messages: question, max_tokens: 200 },
      tools: [WEATHER],
      tool_choice: 'required',
    });
    const [call] = called.choices[0]?.message.tool_calls ?? [];
    expect(called.choices[0]?.finish_reason).toBe('tool_calls');
    expect(call).toMatchObject({ type: 'function', function: { name: 'weather' } });
    expect(JSON.parse(call?.type === 'function' ? call.function.arguments : '')).toEqual({
      city: expect.any(String) as string,
    });
    const chosen = await front.sdk.chat.completions.create({
      ...{ model: 'm', messages: question, max_tokens: 200 },
      response_format: CHOICE,
    });
    expect(JSON.parse(chosen.choices[0]?.message.content ?? '')).toEqual({
      colour: expect.stringMatching(/^(red|blue)$/) as string,
    });
  });

  test('ends the work on the server when a client leaves', async () => {
    const server = await realServer('--slots', '--ignore-eos');
    const front = await inFrontOf([server]);
    const stream = await front.sdk.chat.completions.create(LONG);
    await eventually(() => working(server)).toBe(1);
    stream.controller.abort();
    await eventually(() => working(server)).toBe(0);
    await eventually(() => busy(front)).toBe(0);
  });

  test('continues with the second server when the first is killed, and shows it in its metrics', async () => {
    const servers = [await realServer(), await realServer()];
    const front = await inFrontOf(servers);
    const ask = () => front.chat({ max_tokens: 2 });
    for (let round = 0; round < 4; round++) expect((await ask()).status).toBe(200);
    process.kill(servers[0]?.pid ?? 0, 'SIGKILL');
    for (let round = 0; round < 4; round++) expect((await ask()).status).toBe(200);
    const { text } = await front.call('GET', '/metrics');
    expect(text).toMatch(stateOf(servers[0], 0));
    expect(text).toMatch(stateOf(servers[1], 1));
  });

  test('embeds through it', async () => {
    const front = await inFrontOf([await realServer('--embeddings', '--pooling', 'mean')], ['embed']);
    const input = ['a cat', 'a dog'];
    const { data, usage } = await front.sdk.embeddings.create({
      model: 'm',
      input,
      encoding_format: 'float',
    });
    expect(data.map(({ embedding }) => embedding.length > 16)).toEqual([true, true]);
    expect(data[0]?.embedding).not.toEqual(data[1]?.embedding);
    expect(usage.prompt_tokens).toBeGreaterThan(0);
  });
});

async function working({ baseUrl }: { baseUrl: string }): Promise<number> {
  const slots = (await (await fetch(baseUrl.replace(/v1$/, 'slots'))).json()) as { is_processing: boolean }[];
  return slots.filter((slot) => slot.is_processing).length;
}

function stateOf(server: { baseUrl: string } | undefined, value: number): RegExp {
  return new RegExp(
    `^askd_upstream_server_available\\{model="m",server="${server?.baseUrl}"\\} ${value}$`,
    'm',
  );
}
