import { AskdConnectionError, createClient } from 'askd/client';
import { expect, test } from 'vitest';
import { collect } from '../../helpers/daemon/chat.ts';
import { scriptedServer, sendEvent, sendJson, type Answer } from '../../helpers/servers/scripted-server.ts';

const refusal = { error: { message: 'No.', type: 'server_error', param: null, code: 'queue_full' } };

/** Answers in this order; the last one repeats. */
async function answering(...answers: Answer[]) {
  let next = 0;
  const server = await scriptedServer((request, response) =>
    answers[Math.min(next++, answers.length - 1)]?.(request, response),
  );
  return { ...server, client: createClient({ baseURL: server.url, apiKey: 'ask_x' }) };
}

const fails =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(refusal));
const works: Answer = (_request, response) => sendJson(response, 200, { ok: true });
const cuts: Answer = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
  response.write('{"ok"', () => response.destroy());
};

test('a POST is sent again with the same Idempotency-Key, after what Retry-After says', async () => {
  const { client, seen } = await answering(fails(503, { 'retry-after': '0' }), works);
  expect(await client.texts.moderate({ model: 'm', input: 'x' })).toEqual({ ok: true });
  const keys = seen.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys[0]]);
});

test('two calls have two keys, unless the caller gives one', async () => {
  const { client, seen } = await answering(works);
  await client.texts.tokenize({ content: 'x' });
  await client.texts.tokenize({ content: 'x' });
  await client.texts.tokenize({ content: 'x' }, { idempotencyKey: 'mine' });
  await client.models.list();
  const keys = seen.map(({ headers }) => headers['idempotency-key']);
  expect(new Set(keys).size).toBe(4);
  expect(keys.slice(2)).toEqual(['mine', undefined]);
});

test('a connection that breaks in the middle of an answer is also retried', async () => {
  const { client, seen } = await answering(cuts, works);
  expect(await client.models.list()).toEqual({ ok: true });
  expect(seen).toHaveLength(2);
});

test.each([
  ['x-should-retry says no', fails(503, { 'x-should-retry': 'false' })],
  ['the status is not for retries', fails(404)],
  ['the wait would be too long', fails(429, { 'retry-after': '3600' })],
])('nothing is retried if %s', async (_why, answer) => {
  const { client, seen } = await answering(answer);
  await expect(client.models.list()).rejects.toMatchObject({ code: 'queue_full' });
  expect(seen).toHaveLength(1);
});

test('a server that says so is retried whatever the status, and no more often than allowed', async () => {
  const { client, seen } = await answering(fails(409, { 'x-should-retry': 'true', 'retry-after': '0' }));
  await expect(client.models.list()).rejects.toMatchObject({ status: 409, retryAfterSeconds: 0 });
  expect(seen).toHaveLength(3);
  await expect(client.models.list({ maxRetries: 0 })).rejects.toMatchObject({ status: 409 });
  expect(seen).toHaveLength(4);
});

test('an abort ends the wait between two attempts at once, with its own reason', async () => {
  const controller = new AbortController();
  const reason = new Error('The user left.');
  const { client } = await answering((request, response) => {
    void fails(503, { 'retry-after': '50' })(request, response);
    setImmediate(() => controller.abort(reason));
  });
  await expect(client.models.list({ signal: controller.signal })).rejects.toBe(reason);
});

test('an abort ends a stream in the middle with its own reason', async () => {
  const controller = new AbortController();
  const reason = new Error('The user left.');
  const { client } = await answering((_request, response) => sendEvent(response, { type: 'step' }));
  const reading = (async () => {
    for await (const event of client.agent.watch({ run: 'r' }, { signal: controller.signal })) {
      expect(event.type).toBe('step');
      controller.abort(reason);
    }
  })();
  await expect(reading).rejects.toBe(reason);
});

test('no answer in time is a connection error', async () => {
  const { client } = await answering(() => undefined);
  const asked = client.models.list({ timeoutMs: 20, maxRetries: 0 });
  await expect(asked).rejects.toThrow(AskdConnectionError);
  await expect(asked).rejects.toThrow('No answer within 0.02 s.');
});

test('a stream that breaks, reports an error, or holds what is not JSON throws', async () => {
  const stream = async (answer: Answer) =>
    collect((await answering(answer)).client.agent.watch({ run: 'r' }));
  const broken = stream((_request, response) => {
    sendEvent(response, { type: 'step' });
    setImmediate(() => response.destroy());
  });
  await expect(broken).rejects.toThrow('broke in the middle');
  const reported = stream((_request, response) => {
    sendEvent(response, refusal);
    response.end();
  });
  await expect(reported).rejects.toMatchObject({ code: 'queue_full' });
  const garbled = stream((_request, response) => {
    sendEvent(response, '{"type":"st');
    response.end();
  });
  await expect(garbled).rejects.toThrow('not JSON');
});

test('events are read whole however their bytes are cut', async () => {
  const { client } = await answering((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const bytes = Buffer.from(':\n\ndata: {"type":"token",\r\ndata: "delta":"grün"}\r\n\r\ndata: [DONE]\n\n');
    const send = (at: number): void => {
      if (at === bytes.length) return void response.end();
      response.write(bytes.subarray(at, at + 1), () => setImmediate(send, at + 1));
    };
    send(0);
  });
  expect(await collect(client.agent.watch({ run: 'r' }))).toEqual([{ type: 'token', delta: 'grün' }]);
});
