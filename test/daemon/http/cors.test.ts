import { describe, expect, test } from 'vitest';
import { send, startDaemon, type Reply } from '../../helpers/daemon/daemon.ts';
import { openBrowserSession } from '../../helpers/accounts/sessions.ts';

const PAGE = 'http://localhost:8080';
const ALLOWED = { ASKD_ALLOWED_ORIGINS: `${PAGE},app://obsidian.md,vscode-webview://*` };

function refusalOf(reply: Reply) {
  return { status: reply.status, ...reply.json<{ error: { code: string; message: string } }>().error };
}

const preflight = (origin: string, method = 'POST', more: Record<string, string> = {}) => ({
  token: null,
  headers: {
    origin,
    'access-control-request-method': method,
    'access-control-request-headers': 'authorization,content-type,x-stainless-os',
    ...more,
  },
});

describe('a page of an allowed origin', () => {
  test('has its preflight answered, for the requested headers and for a private network', async () => {
    const { call } = await startDaemon(ALLOWED);
    for (const origin of [PAGE, 'app://obsidian.md', 'vscode-webview://0a1b2c']) {
      const reply = await call('OPTIONS', '/v1/chat/completions', preflight(origin));
      expect([reply.status, reply.text]).toEqual([204, '']);
      expect(reply.headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-headers': 'authorization,content-type,x-stainless-os',
        'access-control-allow-methods': expect.stringContaining('POST'),
        'access-control-max-age': '7200',
        vary: 'Origin',
      });
      expect(reply.headers['access-control-allow-private-network']).toBeUndefined();
    }
    const local = { 'access-control-request-private-network': 'true' };
    const reply = await call('OPTIONS', '/v1/models', preflight(PAGE, 'GET', local));
    expect(reply.headers['access-control-allow-private-network']).toBe('true');
  });

  test('may read answers and refusals, with their headers, and no answer allows cookies', async () => {
    const { call, key } = await startDaemon(ALLOWED);
    const headers = { origin: PAGE };
    const found = await call('GET', '/v1/models', { token: key, headers });
    const unknown = await call('GET', '/v1/nothing', { token: key, headers });
    const without = await call('POST', '/v1/chat/completions', { token: null, headers, body: {} });
    expect([found.status, unknown.status, without.status]).toEqual([200, 404, 401]);
    for (const reply of [found, unknown, without]) {
      expect(reply.headers).toMatchObject({ 'access-control-allow-origin': PAGE, vary: 'Origin' });
      const exposed = String(reply.headers['access-control-expose-headers']).split(', ');
      expect(exposed).toEqual(
        expect.arrayContaining([
          'x-request-id',
          'x-askd-ignored',
          'x-ratelimit-remaining-rpm',
          'retry-after',
        ]),
      );
      expect(reply.headers['access-control-allow-credentials']).toBeUndefined();
    }
  });

  test('cannot open any route that needs a cookie or the command line', async () => {
    const daemon = await startDaemon(ALLOWED);
    const { call } = await openBrowserSession(daemon);
    const headers = { origin: PAGE, 'sec-fetch-site': 'same-site' };
    const attempts: [string, string][] = [
      ['GET', '/api/keys'],
      ['POST', '/api/keys'],
      ['POST', '/api/login'],
      ['GET', '/api/daemon/status'],
      ['GET', '/dashboard'],
    ];
    for (const [method, path] of attempts) {
      const body = method === 'POST' ? { body: {} } : {};
      const reply = await call(method, path, { headers, ...body });
      expect([path, refusalOf(reply)]).toMatchObject([path, { status: 403, code: 'origin_not_allowed' }]);
      expect(reply.headers['access-control-allow-origin']).toBeUndefined();
      const asked = await daemon.call('OPTIONS', path, preflight(PAGE, method));
      expect([path, asked.status]).toEqual([path, 403]);
    }
  });
});

describe('a page of any other origin', () => {
  test('is refused with the command that allows it, as is its preflight', async () => {
    const { call, key } = await startDaemon(ALLOWED);
    const command = 'askd config add allowed_origins http://localhost:3000 && askd restart';
    const asked = await call('OPTIONS', '/v1/chat/completions', preflight('http://localhost:3000'));
    const tried = await call('GET', '/v1/models', {
      token: key,
      headers: { origin: 'http://localhost:3000' },
    });
    for (const reply of [asked, tried]) {
      expect(refusalOf(reply)).toMatchObject({ status: 403, code: 'origin_not_allowed' });
      expect(refusalOf(reply).message).toMatch(`If you trust them: ${command}`);
      expect(reply.headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  test('that cannot be allowed gets the reason, and no command repeats what it sent', async () => {
    const { call } = await startDaemon();
    const withOrigin = async (origin: string) =>
      refusalOf(await call('GET', '/v1/models', { token: null, headers: { origin } })).message;
    expect(await withOrigin('null')).toContain('Any page can have the origin "null"');
    expect(await withOrigin('http://x.example; rm -rf /')).not.toContain('askd config');
  });

  test('appears in the log, since the browser shows its page nothing', async () => {
    const { call, services } = await startDaemon();
    await call('GET', '/v1/models', { token: null, headers: { origin: 'app://obsidian.md' } });
    expect(JSON.stringify(services.logTail.after(0))).toContain('allowed_origins app://obsidian.md');
  });
});

describe('a name in allowed_hosts', () => {
  test('reaches the daemon, and any other name is answered with the command', async () => {
    const { port } = await startDaemon({ ASKD_ALLOWED_HOSTS: 'host.docker.internal' });
    const withHost = (host: string) => send({ port, path: '/healthz', headers: { host } });
    expect((await withHost(`host.docker.internal:${port}`)).status).toBe(200);
    expect(refusalOf(await withHost(`mybox.lan:${port}`))).toMatchObject({
      status: 403,
      code: 'host_not_allowed',
      message: expect.stringMatching(/: askd config add allowed_hosts mybox\.lan && askd restart$/),
    });
    expect(refusalOf(await withHost('a;b')).message).not.toContain('askd config');
  });

  test('has its own pages, and does not allow another origin', async () => {
    const { port } = await startDaemon({ ASKD_ALLOWED_HOSTS: 'mybox' });
    const from = async (origin: string) =>
      (await send({ port, path: '/v1/models', headers: { host: `mybox:${port}`, origin } })).status;
    expect([await from(`http://mybox:${port}`), await from('http://mybox:1')]).toEqual([200, 403]);
  });
});
