import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { tokenize } from '../../../../src/api/chat/tokenize.ts';
import { uploadFile } from '../../../../src/api/tasks/files.ts';
import { watchPull } from '../../../../src/api/management/library.ts';
import { health } from '../../../../src/api/management/health.ts';
import { getModel } from '../../../../src/api/management/models.ts';
import { Failure } from '../../../../src/base/errors.ts';
import { failureFromBody } from '../../../../src/api/http/failure.ts';
import { createHttp } from '../../../../src/api/http/http.ts';
import { fillPath } from '../../../../src/client/address.ts';
import { collect } from '../../../helpers/daemon/chat.ts';
import { temporaryFolder } from '../../../helpers/temporary.ts';
import { scriptedServer, sendEvent, sendJson } from '../../../helpers/servers/scripted-server.ts';

const forever = new AbortController().signal;

test('a path parameter is escaped, and one with several parts keeps its slashes', () => {
  expect(fillPath('/api/keys/{id}', () => 'a/b?c')).toBe('/api/keys/a%2Fb%3Fc');
  expect(fillPath('/v1/models/{model_id*}', () => 'hf/org/a b')).toBe('/v1/models/hf/org/a%20b');
});

test('the token is sent, but nothing that only browsers send', async () => {
  const server = await scriptedServer((_, response) =>
    sendJson(response, 200, { status: 'ok', version: '1', boot_id: 'boot' }),
  );
  const http = createHttp({ url: server.url, token: 'askroot_secret', remote: false }, forever);
  expect(await http.call(health)).toEqual({ status: 'ok', version: '1', boot_id: 'boot' });
  expect(server.seen[0]?.headers['authorization']).toBe('Bearer askroot_secret');
  const names = Object.keys(server.seen[0]?.headers ?? {});
  expect(names.filter((name) => name === 'origin' || name.startsWith('sec-'))).toEqual([]);
});

test.each([
  [404, { error: { code: 'model_not_found', message: 'no' } }, 'model_not_found', 'no'],
  [404, { error: { code: 'something_new', message: 'no' } }, 'not_found', 'no'],
  [401, { error: { code: null, message: 'who?' } }, 'invalid_api_key', 'who?'],
  [502, { error: { message: 'bad gateway' } }, 'internal_error', 'bad gateway'],
  [418, { error: {} }, 'daemon_unreachable', 'The server answered 418 with an unexpected body.'],
  [200, 'hello', 'daemon_unreachable', 'The server answered 200 with an unexpected body.'],
])('the answer %i %j is the failure %s', (status, body, code, message) => {
  expect(failureFromBody(status, body)).toMatchObject({ code, message });
});

test('an address where nothing listens is daemon_unreachable, with the reason in words', async () => {
  const http = createHttp({ url: 'http://127.0.0.1:1', remote: true }, forever);
  const failure = await http.call(getModel, { params: { model_id: 'x' } }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Failure);
  expect(failure).toMatchObject({
    code: 'daemon_unreachable',
    details: { fix: expect.stringContaining('--host') as string },
  });
  expect((failure as Failure).message).toContain('nothing is listening there');
});

test('a server that stays silent is given up on', async () => {
  const server = await scriptedServer(() => undefined);
  const http = createHttp({ url: server.url, remote: false }, forever);
  await expect(http.call(health, { silenceMsMax: 50 })).rejects.toMatchObject({
    code: 'daemon_unreachable',
    message: expect.stringContaining('no data for 0.05 s') as string,
  });
  expect(server.seen).toHaveLength(1);
});

test('an abort ends a request with its own reason', async () => {
  const server = await scriptedServer(() => undefined);
  const stop = new AbortController();
  const call = createHttp({ url: server.url, remote: false }, stop.signal).call(health);
  stop.abort(new Error('stopped by the user'));
  await expect(call).rejects.toThrow('stopped by the user');
});

const busy = { error: { code: 'queue_full', message: 'Busy.', type: 'server_error', param: null } };

test('a temporarily refused request is retried with the same key, so that it takes effect once', async () => {
  const server = await scriptedServer((_, response) => {
    if (server.seen.length > 1) return sendJson(response, 200, { count: 1, tokens: [5] });
    response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '0' });
    response.end(JSON.stringify(busy));
  });
  const http = createHttp({ url: server.url, remote: false }, forever);
  expect(await http.call(tokenize, { body: { content: 'x' } })).toMatchObject({ count: 1 });
  const [first, second] = server.seen.map(({ headers }) => headers['idempotency-key']);
  expect(first).toMatch(/^[0-9a-f-]{36}$/);
  expect(second).toBe(first);
});

test.each([
  ['the server wants to be left alone for longer than a person waits', { 'retry-after': '4' }, {}],
  ['a retry cannot help', { 'x-should-retry': 'false' }, {}],
  ['the call allows none', { 'retry-after': '0' }, { maxRetries: 0 }],
])('nothing is retried if %s', async (_why, headers, options) => {
  const server = await scriptedServer((_, response) => {
    response.writeHead(503, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(busy));
  });
  const http = createHttp({ url: server.url, remote: false }, forever);
  await expect(http.call(tokenize, { body: { content: 'x' }, ...options })).rejects.toMatchObject({
    code: 'queue_full',
    message: 'Busy.',
  });
  expect(server.seen).toHaveLength(1);
});

test('a form is read from its file again for each attempt', async () => {
  const file = join(temporaryFolder(), 'batch.jsonl');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '{"line":1}\n');
  const server = await scriptedServer((_, response) => {
    if (server.seen.length > 1) return sendJson(response, 200, { id: 'file-1' });
    response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '0' });
    response.end(JSON.stringify(busy));
  });
  const http = createHttp({ url: server.url, remote: false }, forever);
  const form = { file, fields: { purpose: 'batch' } };
  expect(await http.call(uploadFile, { form })).toEqual({ id: 'file-1' });
  for (const { body } of server.seen) expect(body).toContain('{"line":1}');
  expect(server.seen).toHaveLength(2);
});

test('an error in a stream is a failure, and a stream says whether it is complete', async () => {
  const server = await scriptedServer(({ path }, response) => {
    sendEvent(response, { state: 'downloading' });
    if (path.includes('bad')) sendEvent(response, busy);
    if (path.includes('whole')) sendEvent(response, '[DONE]');
    response.end();
  });
  const http = createHttp({ url: server.url, remote: false }, forever);
  const read = async (id: string) => {
    const { events, isWhole } = await http.open(watchPull, { params: { id } });
    const all = await collect(events);
    return { count: all.length, isWhole: isWhole() };
  };
  expect(await read('whole')).toEqual({ count: 1, isWhole: true });
  expect(await read('short')).toEqual({ count: 1, isWhole: false });
  await expect(read('bad')).rejects.toMatchObject({ name: 'Failure', code: 'queue_full' });
});
