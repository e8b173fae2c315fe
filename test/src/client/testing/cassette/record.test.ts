import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request as requestHttp, type ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { openCassette, post } from '../../../../helpers/servers/cassette.ts';
import {
  scriptedServer,
  sendChunk,
  sendEvent,
  sendJson,
} from '../../../../helpers/servers/scripted-server.ts';

const ask = (content: string) => ({ model: 'm', messages: [{ role: 'user', content }] });

/** Answers every request with its number. */
async function countingServer() {
  let count = 0;
  return scriptedServer((_request, response) => sendJson(response, 200, { answer: (count += 1) }));
}

async function answerOf(response: Response): Promise<unknown> {
  return ((await response.json()) as { answer: unknown }).answer;
}

test('equal requests get their answers in the recorded order, then the last one again', async () => {
  const cassette = openCassette();
  const recorder = await cassette.record({ upstream: { baseUrl: (await countingServer()).url } });
  for (const content of ['a', 'b', 'a']) await post(`${recorder.baseUrl}/chat/completions`, ask(content));
  await recorder.close();
  const url = `${(await cassette.replay()).baseUrl}/chat/completions`;
  const answers = [];
  for (const content of ['a', 'a', 'a', 'b', 'b'])
    answers.push(await answerOf(await post(url, ask(content))));
  expect(answers).toEqual([1, 3, 3, 2, 2]);
  const strict = `${(await cassette.replay({ strict: true })).baseUrl}/chat/completions`;
  expect(await answerOf(await post(strict, ask('b')))).toBe(2);
  expect(await (await post(strict, ask('b'))).json()).toMatchObject({
    error: {
      code: 'cassette_no_match',
      message: 'cassette.jsonl has POST /v1/chat/completions once, and it was requested once more.',
    },
  });
});

test('concurrent requests are written in the same order whichever finishes first', async () => {
  const waiting: (() => void)[] = [];
  const upstream = await scriptedServer(({ body }, response) => {
    waiting.push(() => sendJson(response, 200, body));
    // None is answered before all have arrived.
    if (waiting.length % 4 === 0) waiting.splice(0).forEach((answer) => answer());
  });
  const record = async (order: readonly string[]) => {
    const cassette = openCassette();
    const recorder = await cassette.record({ upstream: { baseUrl: upstream.url } });
    await Promise.all(order.map((content) => post(`${recorder.baseUrl}/chat/completions`, ask(content))));
    await recorder.close();
    return cassette.exchanges().map(({ request }) => request);
  };
  const first = await record(['c', 'a', 'd', 'b']);
  expect(first).toHaveLength(4);
  expect(await record(['b', 'd', 'a', 'c'])).toEqual(first);
});

test('an existing file is kept; new adds to it, and all records again in its order', async () => {
  const cassette = openCassette();
  const upstream = { baseUrl: (await countingServer()).url };
  const run = async (update: 'new' | 'all' | undefined, contents: readonly string[]) => {
    const recorder = await cassette.record({ upstream, update });
    for (const content of contents) await post(`${recorder.baseUrl}/chat/completions`, ask(content));
    await recorder.close();
    return cassette.exchanges().map(({ request, response }) => {
      const { messages } = request.body as ReturnType<typeof ask>;
      return [messages[0]?.content, (response.body as { answer: number }).answer];
    });
  };
  expect(await run(undefined, ['a', 'b'])).toEqual([
    ['a', 1],
    ['b', 2],
  ]);
  await expect(run(undefined, ['a'])).rejects.toMatchObject({ code: 'already_exists' });
  expect(await run('new', ['a', 'c', 'b'])).toEqual([
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ]);
  expect(await run('all', ['c', 'd', 'a'])).toEqual([
    ['a', 6],
    ['c', 4],
    ['d', 5],
  ]);
  expect(await run('all', [])).toHaveLength(3);
});

test('a stream is cut into its events however the network did, and replayed at its speed or at once', async () => {
  const texts = 'data: {"n":1,"text":"é"}\n\nevent: x\ndata: 2\r\n\r\ndata: [DONE]\n\n';
  const bytes = Buffer.from(texts);
  const upstream = await scriptedServer(async (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', date: 'never', 'x-request-id': 'r' });
    for (const byte of bytes) if (!response.write(Buffer.of(byte))) await once(response, 'drain');
    response.end();
  });
  const cassette = openCassette();
  const recorder = await cassette.record({ upstream: { baseUrl: `${upstream.url}/v1` } });
  const asked = { ...ask('stream'), stream: true };
  expect(await (await post(`${recorder.baseUrl}/chat/completions`, asked)).text()).toBe(texts);
  await recorder.close();
  const [exchange] = cassette.exchanges();
  expect(exchange?.response).toMatchObject({ status: 200, headers: { 'content-type': 'text/event-stream' } });
  expect(exchange?.response.chunks?.map(([, text]) => text)).toEqual([
    'data: {"n":1,"text":"é"}\n\n',
    'event: x\ndata: 2\r\n\r\n',
    'data: [DONE]\n\n',
  ]);
  // Slower than any machine would be: the file says when each one came.
  writeFileSync(cassette.file, cassette.text().replace(/\[\d+,"data: \[DONE]/, '[1500,"data: [DONE]'));
  const timed = async (speed: 'recorded' | 'full') => {
    const replayer = await cassette.replay({ speed });
    const startMs = performance.now();
    const answer = await post(`${replayer.baseUrl}/chat/completions`, asked);
    expect(await answer.text()).toBe(texts);
    return performance.now() - startMs;
  };
  expect(await timed('recorded')).toBeGreaterThanOrEqual(1450);
  await timed('full');
});

test('an unknown request shows the nearest one and what differs', async () => {
  const cassette = openCassette();
  const upstream = await scriptedServer((_request, response) => sendJson(response, 200, {}));
  const recorder = await cassette.record({ upstream: { baseUrl: upstream.url }, ignore: ['body.user'] });
  const { baseUrl } = recorder;
  await post(`${baseUrl}/embeddings`, { model: 'm', input: 'far' });
  await post(`${baseUrl}/chat/completions`, {
    ...ask('What is the weather in Bergen?'),
    user: 'one',
    seed: 1,
  });
  await recorder.close();
  const replayer = await cassette.replay();
  const url = `${replayer.baseUrl}/chat/completions`;
  const asked = { ...ask('What is the weather in Oslo?'), user: 'another', top_p: 0.5 };
  const answer = await post(url, asked);
  expect([answer.status, answer.headers.get('x-should-retry')]).toEqual([404, 'false']);
  expect(await answer.json()).toMatchObject({
    error: {
      code: 'cassette_no_match',
      nearest_line: 3,
      differences: [
        'body.messages.0.content is "What is the weather in Oslo?", and was "What is the weather in Bergen?"',
        'body.top_p is 0.5, and was not there',
        'body.seed is not there, and was 1',
      ],
    },
  });
  expect(await (await post(`${replayer.baseUrl}/messages`, {})).json()).toMatchObject({
    type: 'error',
    error: { type: 'not_found_error', code: 'cassette_no_match' },
  });
  expect(await (await post(`${replayer.rootUrl}/api/chat`, {})).json()).toMatchObject({
    error: expect.stringContaining('does not have this request') as string,
  });
  const same = { seed: 1, messages: ask('What is the weather in Bergen?').messages, model: 'm', user: 'two' };
  expect(await post(url, same)).toMatchObject({ status: 200 });
  expect(replayer.counts).toMatchObject({ replayed: 1, unmatched: 3 });
});

test('a client that leaves ends the request upstream, and gets as much on replay', async () => {
  let left = Promise.resolve<unknown>(undefined);
  const upstream = await scriptedServer((_request, response: ServerResponse) => {
    left = once(response, 'close');
    sendChunk(response, 'first');
  });
  const cassette = openCassette();
  const recorder = await cassette.record({ upstream: { baseUrl: upstream.url } });
  const abort = new AbortController();
  const answer = await post(`${recorder.baseUrl}/chat/completions`, ask('long'), { signal: abort.signal });
  const first = await answer.body?.getReader().read();
  abort.abort();
  await left;
  await recorder.close();
  expect(cassette.exchanges()).toMatchObject([{ response: { cut: true } }]);
  const replayer = await cassette.replay();
  const again = await post(`${replayer.baseUrl}/chat/completions`, ask('long'));
  const reader = again.body?.getReader();
  expect(await reader?.read()).toEqual(first);
  await expect(reader?.read()).rejects.toThrow();
});

test('binary answers, forms and texts come back as they were', async () => {
  const bytes = Buffer.from(Array.from({ length: 512 }, (_, at) => at % 256));
  const upstream = await scriptedServer(({ path }, response) => {
    if (path.endsWith('/speech')) response.writeHead(200, { 'content-type': 'audio/wav' }).end(bytes);
    else sendJson(response, 200, { text: 'Hello.', list: [1.5] });
  });
  const cassette = openCassette();
  const ask = async (baseUrl: string, file: Buffer = bytes) => {
    const form = new FormData();
    form.append('model', 'm');
    form.append('file', new Blob([new Uint8Array(file)]), 'a.wav');
    const transcribed = await fetch(`${baseUrl}/audio/transcriptions`, { method: 'POST', body: form });
    const spoken = await post(`${baseUrl}/audio/speech`, { input: 'Hi.' });
    return { text: await transcribed.json(), spoken: Buffer.from(await spoken.arrayBuffer()) };
  };
  const recorder = await cassette.record({ upstream: { baseUrl: upstream.url } });
  const recorded = await ask(recorder.baseUrl);
  await recorder.close();
  expect(recorded).toEqual({ text: { text: 'Hello.', list: [1.5] }, spoken: bytes });
  expect(cassette.exchanges()[0]?.request.form).toMatchObject({
    model: ['m'],
    file: [{ file: 'a.wav', bytes: 512 }],
  });
  const { baseUrl } = await cassette.replay();
  expect(await ask(baseUrl)).toEqual(recorded);
  expect((await ask(baseUrl, Buffer.from('other'))).text).toMatchObject({
    error: { message: expect.stringMatching(/form\.file\.0\.bytes is 5, and was 512/) as string },
  });
});

test('a request that is too large is refused, and an unreachable server is named', async () => {
  const upstream = await scriptedServer((_request, response) => sendEvent(response, 'never'));
  const recorder = await openCassette().record({ upstream: { baseUrl: upstream.url }, bytesMax: 1000 });
  expect(await post(`${recorder.baseUrl}/embeddings`, { input: 'x'.repeat(5000) })).toMatchObject({
    status: 413,
  });
  expect(upstream.seen).toEqual([]);
  const nowhere = await openCassette().record({ upstream: { baseUrl: 'http://127.0.0.1:1' } });
  const answer = await post(`${nowhere.baseUrl}/embeddings`, {});
  expect(await answer.json()).toMatchObject({ error: { code: 'upstream_unavailable' } });
  expect(nowhere.leftOut).toEqual([expect.stringContaining('http://127.0.0.1:1 does not answer')]);
});

test('an answer that is too large to record arrives whole, and is reported', async () => {
  const large = 'x'.repeat(2_000_000);
  const upstream = await scriptedServer((_request, response) => sendJson(response, 200, { large }));
  const cassette = openCassette();
  const recorder = await cassette.record({ upstream: { baseUrl: upstream.url }, bytesMax: 1000 });
  expect(await (await post(`${recorder.baseUrl}/embeddings`, {})).json()).toEqual({ large });
  await recorder.close();
  expect(recorder.leftOut).toEqual([expect.stringContaining('of 2000012 bytes is too large to record')]);
  expect(cassette.text()).toBe('');
});

test('a damaged file is refused with its line', async () => {
  const cassette = openCassette();
  const exchange =
    '{"request":{"method":"GET","path":"/v1/models"},"response":{"status":200,"headers":{},"ms":1}}';
  const cases: readonly [text: string, says: string][] = [
    ['', 'line 1: It must be {"cassette":1}'],
    ['{"cassette":7}\n', 'line 1: Version 7 is not known'],
    ['{"cassette":1,"ignore":"body"}\n', 'line 1: "ignore" must be a list'],
    [`{"cassette":1}\n${exchange}\n${exchange.slice(0, 40)}`, 'line 3: It is not JSON, or is truncated.'],
    [`{"cassette":1}\n{"request":{}}\n`, 'line 2: "request" must have'],
    [`{"cassette":1}\n${exchange.replace('200', '42')}\n`, 'line 2: "status" must be'],
    [`{"cassette":1}\n${exchange.replace('"ms":1', '"ms":1,"chunks":[1]')}\n`, 'line 2: Each of "chunks"'],
  ];
  for (const [text, says] of cases) {
    writeFileSync(cassette.file, text);
    await expect(cassette.replay()).rejects.toMatchObject({
      code: 'cassette_invalid',
      message: expect.stringContaining(says) as string,
    });
  }
});

test("an upstream has its own path instead of /v1, and gets its clients' key", async () => {
  const upstream = await scriptedServer((_request, response) => sendJson(response, 200, {}));
  const recorder = await openCassette().record({ upstream: { baseUrl: `${upstream.url}/openai/v2/` } });
  const sent = requestHttp(`${recorder.baseUrl}/models?limit=2`, {
    headers: { authorization: 'Bearer of-the-client' },
  });
  sent.end();
  await once(sent, 'response');
  expect(upstream.seen).toMatchObject([
    { method: 'GET', path: '/openai/v2/models?limit=2', headers: { authorization: 'Bearer of-the-client' } },
  ]);
});
