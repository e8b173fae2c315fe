import { createConnection } from 'node:net';
import { describe, expect, test } from 'vitest';
import { send, startDaemon, type Reply } from '../../helpers/daemon/daemon.ts';

function codeOf(reply: Reply): string {
  return reply.json<{ error: { code: string } }>().error.code;
}

describe('the Host header', () => {
  test('must be a loopback name with the right port', async () => {
    const { port } = await startDaemon();
    const withHost = (host: string) => send({ port, path: '/healthz', headers: { host } });
    for (const good of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`]) {
      expect((await withHost(good)).status).toBe(200);
    }
    const bad = [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1',
      `127.0.0.1:1`,
      `0.0.0.0:${port}`,
      `localhost.evil.example:${port}`,
    ];
    for (const host of bad) {
      const reply = await withHost(host);
      expect([host, reply.status, codeOf(reply)]).toEqual([host, 403, 'host_not_allowed']);
    }
  });

  test('is checked before the key and on unknown paths too', async () => {
    const { port } = await startDaemon();
    const reply = await send({
      port,
      path: '/nowhere',
      headers: { host: 'evil.example', authorization: 'Bearer x' },
    });
    expect(codeOf(reply)).toBe('host_not_allowed');
  });
});

describe('the Origin header', () => {
  test('of another site is refused, unless it was allowed', async () => {
    const { call, key } = await startDaemon();
    for (const origin of ['http://evil.example', 'http://localhost:3000', 'null', 'https://127.0.0.1']) {
      const reply = await call('GET', '/v1/models', { token: key, headers: { origin } });
      expect([reply.status, codeOf(reply)]).toEqual([403, 'origin_not_allowed']);
      expect(reply.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  test('of the daemon itself is accepted', async () => {
    const { call, key, port } = await startDaemon();
    const reply = await call('GET', '/v1/models', {
      token: key,
      headers: { origin: `http://127.0.0.1:${port}` },
    });
    expect(reply.status).toBe(200);
  });

  test('or Fetch Metadata with the root token is refused: browsers never have it', async () => {
    const { call, port } = await startDaemon();
    for (const [name, value] of [
      ['origin', `http://127.0.0.1:${port}`],
      ['sec-fetch-site', 'none'],
      ['sec-fetch-mode', 'cors'],
    ] as const) {
      const reply = await call('GET', '/api/keys', { headers: { [name]: value } });
      expect([reply.status, codeOf(reply)]).toEqual([403, 'origin_not_allowed']);
    }
  });
});

describe('a credential', () => {
  test('is required where it is needed', async () => {
    const { call } = await startDaemon();
    const inference = await call('POST', '/v1/chat/completions', { token: null, body: {} });
    expect([inference.status, codeOf(inference), inference.headers['www-authenticate']]).toEqual([
      401,
      'invalid_api_key',
      'Bearer',
    ]);
    const management = await call('GET', '/api/keys', { token: null });
    expect([management.status, codeOf(management)]).toEqual([401, 'not_authenticated']);
    expect((await call('GET', '/v1/models', { token: null })).status).toBe(200);
    expect((await call('GET', '/healthz', { token: null })).status).toBe(200);
    expect((await call('GET', '/health', { token: null })).json()).toEqual({ status: 'ok' });
    expect((await call('GET', '/openapi.json', { token: null })).status).toBe(200);
  });

  test('that is wrong is refused even where none is needed, and is not repeated', async () => {
    const { call } = await startDaemon();
    for (const token of ['ask_wrong', `ask_${'0'.repeat(46)}`, 'askroot_wrong', 'sk-other']) {
      const reply = await call('GET', '/v1/models', { token });
      expect(reply.status).toBe(401);
      expect(reply.text).not.toContain(token);
    }
    const basic = await call('GET', '/v1/models', { token: null, headers: { authorization: 'Basic YTpi' } });
    expect(codeOf(basic)).toBe('invalid_api_key');
  });

  test('of the kind "API key" never opens management routes', async () => {
    const { call, services } = await startDaemon();
    const admin = services.keys.create({
      accountId: 'acct_local',
      name: 'a',
      scopes: ['admin'],
      expiresAt: null,
    });
    const reply = await call('GET', '/api/keys', { token: admin.key });
    expect([reply.status, codeOf(reply)]).toEqual([401, 'not_authenticated']);
    expect((await call('GET', '/api/daemon/status', { token: admin.key })).status).toBe(200);
  });

  test('without the scope is refused, and the scope is named', async () => {
    const { call, services, key } = await startDaemon();
    const { key: reader } = services.keys.create({
      accountId: 'acct_local',
      name: 'r',
      scopes: ['read'],
      expiresAt: null,
    });
    const chat = await call('POST', '/v1/chat/completions', { token: reader, body: {} });
    expect(chat.status).toBe(403);
    expect(chat.json()).toMatchObject({ error: { code: 'insufficient_scope', needed_scope: 'chat' } });
    const control = await call('GET', '/api/daemon/status', { token: key });
    expect(control.json()).toMatchObject({ error: { code: 'insufficient_scope', needed_scope: 'admin' } });
  });

  test('that was revoked is refused from the next request on', async () => {
    const { call } = await startDaemon();
    const made = (await call('POST', '/api/keys', { body: { name: 'short' } })).json<{
      id: string;
      key: string;
    }>();
    expect((await call('GET', '/v1/models/svc-chat-v1', { token: made.key })).status).toBe(200);
    await call('DELETE', `/api/keys/${made.id}`);
    expect((await call('GET', '/v1/models/svc-chat-v1', { token: made.key })).status).toBe(401);
  });
});

describe('every refusal', () => {
  test('has the four fields, a request number and a time, whatever went wrong', async () => {
    const { call, key } = await startDaemon();
    const replies: [number, string, Reply][] = [
      [404, 'not_found', await call('GET', '/v1/nowhere', { token: key })],
      [405, 'method_not_allowed', await call('GET', '/v1/chat/completions', { token: key })],
      [400, 'invalid_json', await call('POST', '/v1/chat/completions', { token: key, body: '{"a":' })],
      [400, 'invalid_json', await call('POST', '/v1/chat/completions', { token: key, body: '' })],
      [
        400,
        'invalid_json',
        await call('POST', '/v1/chat/completions', { token: key, body: '{"__proto__": 1}' }),
      ],
      [
        415,
        'unsupported_media_type',
        await call('POST', '/v1/chat/completions', {
          token: key,
          body: 'x',
          headers: { 'content-type': 'text/csv' },
        }),
      ],
      [
        413,
        'request_too_large',
        await call('POST', '/v1/chat/completions', {
          token: key,
          body: JSON.stringify('x'.repeat(21 * 1024 * 1024)),
        }),
      ],
      [404, 'model_not_found', await call('GET', '/v1/models/nobody', { token: key })],
      [404, 'not_found', await call('GET', '/v1/%E0%A4%A', { token: key })],
    ];
    for (const [status, code, reply] of replies) {
      expect([reply.status, codeOf(reply)]).toEqual([status, code]);
      const { error } = reply.json<{ error: Record<string, unknown> }>();
      expect(Object.keys(error)).toEqual(expect.arrayContaining(['message', 'type', 'param', 'code']));
      expect(reply.headers['x-request-id']).toMatch(/^req_[0-9A-Z]{26}$/);
      expect(reply.headers['x-processing-time-ms']).toMatch(/^\d+$/);
      expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
    }
    expect(replies[1]?.[2].headers.allow).toBe('POST');
  });

  test('is JSON even for malformed HTTP', async () => {
    const { port } = await startDaemon();
    const text = await rawExchange(port, 'GARBAGE\r\n\r\n');
    expect(text).toContain('HTTP/1.1 400');
    expect(text).toMatch(/^x-request-id: req_[0-9A-Z]{26}\r$/m);
    const body = JSON.parse(text.slice(text.indexOf('\r\n\r\n'))) as { error: object };
    expect(Object.keys(body.error).sort()).toEqual(['code', 'message', 'param', 'type']);
  });
});

function rawExchange(port: number, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ port, host: '127.0.0.1' });
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (part: string) => (text += part));
    socket.on('end', () => resolve(text));
    socket.on('error', reject);
    socket.write(request);
  });
}

describe('HEAD', () => {
  test('answers where GET has an answer, and opens no stream: an agent would run, and a feed continue, for nobody', async () => {
    const { call, key, services } = await startDaemon();
    expect((await call('HEAD', '/v1/models', { token: key })).status).toBe(200);
    const run = await call('HEAD', '/v1/agent/stream?query=hello&mode=chat', { token: key });
    const feed = await call('HEAD', '/api/daemon/events');
    expect([run.status, run.headers.allow, feed.status]).toEqual([405, 'GET', 405]);
    expect(services.boot.watching()).toBe(0);
  });
});
