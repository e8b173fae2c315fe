import { expect, test } from 'vitest';
import { health } from '../../../../src/api/management/health.ts';
import { getModel } from '../../../../src/api/management/models.ts';
import { Failure } from '../../../../src/base/errors.ts';
import { createHttp, failureFromBody, fillPath } from '../../../../src/api/http/http.ts';
import { scriptedServer, sendJson } from '../../../helpers/servers/scripted-server.ts';

const forever = new AbortController().signal;

test('a path parameter is escaped, and one of many parts keeps its slashes', () => {
  expect(fillPath('/api/keys/{id}', { id: 'a/b?c' })).toBe('/api/keys/a%2Fb%3Fc');
  expect(fillPath('/v1/models/{model_id*}', { model_id: 'hf/org/a b' })).toBe('/v1/models/hf/org/a%20b');
});

test('the token is sent, and nothing that only browsers send', async () => {
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
  [418, { error: {} }, 'internal_error', 'The server answered 418.'],
  [200, 'hello', 'daemon_unreachable', 'The server answered 200 with an unexpected body.'],
])('the answer %i %j is the failure %s', (status, body, code, message) => {
  expect(failureFromBody(status, body)).toMatchObject({ code, message });
});

test('nobody at the address is daemon_unreachable, with the reason in words', async () => {
  const http = createHttp({ url: 'http://127.0.0.1:1', remote: true }, forever);
  const failure = await http.call(getModel, { params: { model_id: 'x' } }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Failure);
  expect(failure).toMatchObject({
    code: 'daemon_unreachable',
    details: { fix: expect.stringContaining('--host') as string },
  });
  expect((failure as Failure).message).toContain('nothing is listening there');
});

test('a server that stays silent is given up', async () => {
  const server = await scriptedServer(() => undefined);
  const http = createHttp({ url: server.url, remote: false }, forever);
  await expect(http.call(health, { silenceMsMax: 50 })).rejects.toMatchObject({ code: 'daemon_unreachable' });
});

test('an abort ends a request with its own reason', async () => {
  const server = await scriptedServer(() => undefined);
  const stop = new AbortController();
  const call = createHttp({ url: server.url, remote: false }, stop.signal).call(health);
  stop.abort(new Error('stopped by the user'));
  await expect(call).rejects.toThrow('stopped by the user');
});
