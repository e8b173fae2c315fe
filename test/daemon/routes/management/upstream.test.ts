import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import {
  busy,
  collect,
  daemonWith,
  eventually,
  hello,
  type ChatDaemon,
} from '../../../helpers/daemon/chat.ts';
import { startDaemon } from '../../../helpers/daemon/daemon.ts';
import { endlessModel, scriptedModel } from '../../../helpers/models/models.ts';
import {
  scriptedServer,
  sendChunk,
  sendEvent,
  sendJson,
  type Answer,
} from '../../../helpers/servers/scripted-server.ts';
import { markerModel, wordEmbedder, wordRanker } from '../../../helpers/models/text-models.ts';

const SECRET = 'sk-upstream-do-not-tell-1234567890';

/** A daemon without a model of its own that serves `m` from these servers. */
async function inFrontOf(
  baseUrls: string[],
  { key = SECRET, model = 'm', ...rest }: Record<string, unknown> = {},
) {
  const daemon = await daemonWith({});
  const body = { id: 'm', base_urls: baseUrls, model, tasks: ['chat'], key, ...rest };
  const added = await daemon.call('POST', '/api/daemon/upstreams', { body });
  expect(added.status).toBe(201);
  return { ...daemon, added };
}

function behind(daemon: ChatDaemon, rest: Record<string, unknown> = {}) {
  return inFrontOf([daemon.baseURL], { key: daemon.key, ...rest });
}

describe('a daemon in front of another', () => {
  test('gives the same answer with the same usage, whole and as a stream', async () => {
    const back = await daemonWith({ m: await scriptedModel('Grüße — 日本語 😀, from behind.') });
    const front = await behind(back);
    const body = { model: 'm', messages: hello };
    const direct = await back.sdk.chat.completions.create(body);
    const through = await front.sdk.chat.completions.create(body);
    expect(through.choices).toEqual(direct.choices);
    const { completion_tokens: completionTokens, prompt_tokens: promptTokens } = direct.usage ?? {};
    expect(through.usage).toMatchObject({ completion_tokens: completionTokens, prompt_tokens: promptTokens });
    const options = { stream: true as const, stream_options: { include_usage: true } };
    const chunks = await collect(await front.sdk.chat.completions.create({ ...body, ...options }));
    const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
    expect(text).toBe(direct.choices[0]?.message.content);
    expect(chunks.at(-1)?.usage).toMatchObject({
      completion_tokens: completionTokens,
      prompt_tokens: promptTokens,
    });
    expect(front.services.store.prepare('SELECT prompt_tokens, completion_tokens FROM usage').all()).toEqual([
      { prompt_tokens: promptTokens, completion_tokens: completionTokens },
      { prompt_tokens: promptTokens, completion_tokens: completionTokens },
    ]);
    expect((await front.chat({})).headers).toMatchObject({ 'x-askd-device': 'upstream' });
  });

  test("passes on limits, stop texts and the other's refusals", async () => {
    const back = await daemonWith({ m: await endlessModel() }, { ASKD_MODEL_CONTEXT_TOKENS: '256' });
    const { chat } = await behind(back);
    expect((await chat({ max_tokens: 5 })).json()).toMatchObject({
      choices: [{ finish_reason: 'length' }],
      usage: { completion_tokens: 5 },
    });
    expect((await chat({ stop: ' so' })).json()).toMatchObject({
      choices: [{ finish_reason: 'stop', message: { content: 'and' } }],
    });
    const tooLong = await chat({ messages: [{ role: 'user', content: 'x'.repeat(3000) }] });
    expect([tooLong.status, tooLong.json()]).toMatchObject([
      400,
      { error: { code: 'context_length_exceeded' } },
    ]);
  });

  test('embeds and reranks through it', async () => {
    const back = await daemonWith({ e: await wordEmbedder({ dimensions: 256 }), r: await wordRanker() });
    const front = await behind(back, { id: 'e', model: 'e', tasks: ['embed'], dimensions: 256 });
    const ranker = { id: 'r', base_urls: [back.baseURL], model: 'r', tasks: ['rerank'], key: back.key };
    expect((await front.call('POST', '/api/daemon/upstreams', { body: ranker })).status).toBe(201);
    const input = ['the cat sat on the mat', 'red fire'];
    const [near, far] = await Promise.all(
      [front, back].map(({ sdk }) => sdk.embeddings.create({ model: 'e', input, encoding_format: 'float' })),
    );
    expect(near?.data).toEqual(far?.data);
    expect(near?.usage).toEqual(far?.usage);
    const question = { model: 'r', query: 'the cat', documents: ['red fire', 'the cat', 'a dog'] };
    const [through, direct] = await Promise.all(
      [front, back].map(async ({ call, key }) => {
        const reply = await call('POST', '/v1/rerank', { token: key, body: question });
        return reply.json<{ results: unknown; usage: unknown }>();
      }),
    );
    expect(through?.results).toEqual(direct?.results);
    expect(through?.usage).toEqual(direct?.usage);
  });

  test('moderates and translates through it', { timeout: 60_000 }, async () => {
    const classifier = await markerModel();
    const back = await daemonWith({ g: classifier, m: await scriptedModel('Bonjour.') });
    const front = await behind(back, { id: 'g', model: 'g', tasks: ['moderate'] });
    const translator = {
      id: 't',
      base_urls: [back.baseURL],
      model: 'm',
      tasks: ['translate'],
      key: back.key,
    };
    expect((await front.call('POST', '/api/daemon/upstreams', { body: translator })).status).toBe(201);
    const body = { model: 'g', input: ['a text', 'another'] };
    const [through, direct] = await Promise.all(
      [front, back].map(async ({ call, key: token }) => {
        const reply = await call('POST', '/v1/moderations', { token, body });
        return reply.json<{ results: unknown; usage: unknown }>();
      }),
    );
    expect(through?.results).toEqual(direct?.results);
    expect(through?.usage).toEqual(direct?.usage);
    const reply = await front.call('POST', '/v1/translate', {
      token: front.key,
      body: { model: 't', text: 'Good day.', target_language: 'French' },
    });
    expect([reply.status, reply.json()]).toMatchObject([200, { translated_text: 'Bonjour.' }]);
    expect(reply.headers).toMatchObject({ 'x-askd-artifact': 't', 'x-askd-device': 'upstream' });
  });

  test('does not treat a category that the server did not score as harmless', async () => {
    const server = await scriptedServer((_, response) =>
      sendJson(response, 200, { results: [{ flagged: false, category_scores: { hate: 0.1 } }] }),
    );
    const front = await inFrontOf([`${server.url}/v1`], { id: 'g', tasks: ['moderate'] });
    const reply = await front.call('POST', '/v1/moderations', {
      token: front.key,
      body: { model: 'g', input: 'a text' },
    });
    expect([reply.status, reply.json()]).toMatchObject([502, { error: { code: 'upstream_failed' } }]);
  });

  test('ends the work on the other when its own client leaves', async () => {
    const back = await daemonWith({ m: await endlessModel() });
    const front = await behind(back);
    const body = { model: 'm', messages: hello, max_tokens: 8000, stream: true as const };
    const stream = await front.sdk.chat.completions.create(body);
    await eventually(() => busy(back)).toBe(1);
    stream.controller.abort();
    await eventually(() => busy(back)).toBe(0);
    await eventually(() => busy(front)).toBe(0);
  });
});

test('tools are passed on and their calls come back, whole and as a stream', async () => {
  const piece = (index: number, called: Record<string, unknown>) => ({
    choices: [{ index: 0, delta: { tool_calls: [{ index, ...called }] }, finish_reason: null }],
  });
  const server = await scriptedServer((_, response) => {
    sendEvent(response, piece(0, { id: 'call_a', type: 'function', function: { name: 'weather' } }));
    sendEvent(response, piece(0, { function: { arguments: '{"place":' } }));
    sendEvent(response, piece(0, { function: { arguments: '"Paris"}' } }));
    sendEvent(response, { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] });
    sendEvent(response, '[DONE]');
    response.end();
  });
  const { sdk } = await inFrontOf([`${server.url}/v1`]);
  const tools = [
    { type: 'function' as const, function: { name: 'weather', parameters: { type: 'object' } } },
  ];
  const body = { model: 'm', messages: hello, tools, tool_choice: 'required' as const };
  const whole = await sdk.chat.completions.create(body);
  expect(whole.choices[0]).toMatchObject({
    finish_reason: 'tool_calls',
    message: {
      tool_calls: [{ id: 'call_a', function: { name: 'weather', arguments: '{"place":"Paris"}' } }],
    },
  });
  const chunks = await collect(await sdk.chat.completions.create({ ...body, stream: true }));
  const calls = chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []);
  expect(calls.map((call) => call.function?.arguments ?? '').join('')).toBe('{"place":"Paris"}');
  expect(server.seen[0]?.body).toMatchObject({ tools, tool_choice: 'required' });
});

describe('the key of an upstream', () => {
  test('is sent to the server, and is otherwise only in a file for its owner', async () => {
    const server = await scriptedServer(say('hi'));
    const front = await inFrontOf([`${server.url}/v1`]);
    expect((await front.chat({})).status).toBe(200);
    expect(server.seen[0]?.headers.authorization).toBe(`Bearer ${SECRET}`);
    const folder = front.services.settings.paths.upstreams;
    const [name = ''] = readdirSync(folder);
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    const shown = await Promise.all(
      ['/api/daemon/artifacts', '/api/daemon/ps', '/v1/models'].map((path) => front.call('GET', path)),
    );
    const rows = JSON.stringify(front.services.store.prepare('SELECT * FROM artifacts').all());
    const log = readFileSync(front.services.settings.paths.log, 'utf8');
    for (const text of [front.added.text, ...shown.map(({ text }) => text), rows, log])
      expect(text).not.toContain(SECRET);
  });

  test('is deleted when another replaces it and when the model is removed', async () => {
    const front = await startDaemon();
    const folder = front.services.settings.paths.upstreams;
    const add = (key: string) =>
      front.call('POST', '/api/daemon/upstreams', {
        body: { id: 'm', base_urls: ['http://127.0.0.1:9/v1'], model: 'm', tasks: ['chat'], key },
      });
    await add('first-key');
    await add('second-key');
    const names = readdirSync(folder);
    expect(names).toHaveLength(1);
    expect(readFileSync(join(folder, names[0] ?? ''), 'utf8')).toContain('second-key');
    expect((await front.call('POST', '/api/daemon/remove', { body: { model: 'm' } })).status).toBe(200);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('several servers', () => {
  test('are used in turn, and one that fails before it answers is skipped', async () => {
    const good = [await scriptedServer(say('one')), await scriptedServer(say('two'))];
    const busyServer = await scriptedServer((_, response) =>
      sendJson(response, 503, { error: { message: 'full' } }),
    );
    const urls = [busyServer, ...good].map(({ url }) => `${url}/v1`);
    const { chat } = await inFrontOf(['http://127.0.0.1:9/v1', ...urls]);
    for (let turn = 0; turn < 8; turn++) expect((await chat({})).status).toBe(200);
    expect(good.map(({ seen }) => seen.length > 1)).toEqual([true, true]);
    expect(good[0]!.seen.length + good[1]!.seen.length).toBe(8);
    expect(busyServer.seen.length).toBeLessThan(4);
  });

  test.each([
    [{ status: 401, body: {} }, 502, 'upstream_refused'],
    [{ status: 404, body: { error: { message: 'no such model' } } }, 502, 'upstream_refused'],
    [
      { status: 400, body: { error: { message: 'too long', code: 'context_length_exceeded' } } },
      400,
      'context_length_exceeded',
    ],
    [{ status: 422, body: { message: 'bad temperature' } }, 400, 'invalid_value'],
    [{ status: 429, body: {} }, 503, 'upstream_unavailable'],
    [{ status: 500, body: 'not even JSON' }, 503, 'upstream_unavailable'],
  ])('that answer %j make it %d %s', async ({ status, body }, expected, code) => {
    const server = await scriptedServer((_, response) => sendJson(response, status, body));
    const { chat } = await inFrontOf([`${server.url}/v1`]);
    const reply = await chat({});
    expect([reply.status, reply.json()]).toMatchObject([expected, { error: { code } }]);
  });
});

describe('an answer that breaks off on the server', () => {
  test.each([
    [
      'by an error event',
      (response: ServerResponse) => (sendEvent(response, { error: { message: 'gone' } }), response.end()),
    ],
    ['by an end without [DONE]', (response: ServerResponse) => response.end()],
    ['by a lost connection', (response: ServerResponse) => response.destroy()],
  ])('%s becomes an error event here, without [DONE]', async (_, end) => {
    const server = await scriptedServer(async (_request, response) => {
      sendChunk(response, 'Once upon ');
      await new Promise((resolve) => setImmediate(resolve));
      end(response);
    });
    const { chat } = await inFrontOf([`${server.url}/v1`]);
    const { status, text } = await chat({ stream: true });
    expect([status, text]).toEqual([200, expect.stringContaining('Once upon ')]);
    expect(text).toContain('"code":"upstream_failed"');
    expect(text).not.toContain('[DONE]');
  });
});

test.each([['ftp://x/v1'], ['http://user:secret@x/v1'], ['nonsense']])(
  'the address %s is refused',
  async (url) => {
    const { call } = await startDaemon();
    const body = { id: 'm', base_urls: [url], model: 'm', tasks: ['chat'] };
    const reply = await call('POST', '/api/daemon/upstreams', { body });
    expect([reply.status, reply.json()]).toMatchObject([400, { error: { param: 'base_urls' } }]);
  },
);

function say(text: string): Answer {
  return (_, response) => {
    sendChunk(response, text);
    sendEvent(response, { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
    sendEvent(response, '[DONE]');
    response.end();
  };
}
