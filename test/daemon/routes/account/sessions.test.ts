import { describe, expect, test } from 'vitest';
import { cookieName } from '../../../../daemon/auth/session-cookie.ts';
import { send, startDaemon, type Reply, type TestDaemon } from '../../../helpers/daemon/daemon.ts';
import { watchEvents } from '../../../helpers/daemon/watch-events.ts';
import {
  OWN_PAGE,
  codeOf,
  logIn,
  loginCode,
  openBrowserSession,
  openScriptSession,
  setCookieOf,
  type Headers,
} from '../../../helpers/accounts/sessions.ts';
import { holdClock } from '../../../helpers/clock.ts';
import { wrongByOneLetter } from '../../../helpers/accounts/near-misses.ts';

describe('a login code', () => {
  test('comes after the # of a link, and becomes a cookie that scripts cannot read', async () => {
    const daemon = await startDaemon();
    const made = await daemon.call('POST', '/api/login-codes');
    expect([made.status, made.headers['cache-control']]).toEqual([201, 'no-store']);
    const link = new URL(made.json<{ login_url: string }>().login_url);
    expect([link.origin, link.pathname, link.search]).toEqual([
      `http://127.0.0.1:${daemon.port}`,
      '/login',
      '',
    ]);
    const reply = await logIn(daemon);
    expect(reply.status).toBe(201);
    expect(setCookieOf(reply)).toMatch(
      new RegExp(
        `^askd_session_${daemon.port}=asksess_[\\w-]{43}; Max-Age=604800; Path=/; HttpOnly; SameSite=Strict$`,
      ),
    );
    expect(reply.text).not.toContain('asksess_');
  });

  test('works once, even when many try at the same moment', async () => {
    const daemon = await startDaemon();
    const code = await loginCode(daemon);
    const replies = await Promise.all(
      Array.from({ length: 8 }, () =>
        daemon.call('POST', '/api/login', { token: null, body: { code }, headers: OWN_PAGE }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(401)]);
    const [refused] = replies.filter(({ status }) => status === 401);
    expect(refused && codeOf(refused)).toBe('login_code_invalid');
    expect(refused?.text).not.toContain(code);
  });

  test('is not created for keys, for sessions or without a credential', async () => {
    const daemon = await startDaemon();
    const { key: admin } = daemon.services.keys.create({
      accountId: 'acct_local',
      name: 'a',
      scopes: ['admin'],
      expiresAt: null,
    });
    const signedIn = await openBrowserSession(daemon);
    for (const path of ['/api/login-codes', '/api/sessions']) {
      const replies = [
        await daemon.call('POST', path, { token: admin }),
        await daemon.call('POST', path, { token: null }),
        await signedIn.call('POST', path),
      ];
      expect(replies.map(({ status }) => status)).toEqual([401, 401, 401]);
    }
  });

  test('is exchanged only by the daemon’s own page', async () => {
    const daemon = await startDaemon();
    const refused: Headers[] = [
      {},
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'none' },
      { origin: `http://localhost:${daemon.port + 1}` },
      { origin: 'null' },
    ];
    for (const headers of refused) {
      const reply = await logIn(daemon, headers);
      expect([headers, reply.status, codeOf(reply)]).toEqual([headers, 403, 'origin_not_allowed']);
      expect(reply.headers['set-cookie']).toBeUndefined();
    }
    expect((await logIn(daemon, { origin: `http://127.0.0.1:${daemon.port}` })).status).toBe(201);
  });

  test('allows ten guesses a minute, after which even a right one has to wait', async () => {
    holdClock();
    const daemon = await startDaemon();
    const guess = (code: string) =>
      daemon.call('POST', '/api/login', { token: null, body: { code }, headers: OWN_PAGE });
    const codes = ["' OR 1=1 --", '{"$ne":""}', `askcode_${'A'.repeat(43)}`, '\u0000', '%00', '💥'];
    for (const code of [...codes, 'g', 'h', 'i', 'j']) expect((await guess(code)).status).toBe(401);
    const reply = await guess(await loginCode(daemon));
    expect([reply.status, codeOf(reply)]).toEqual([429, 'too_many_attempts']);
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('signs in again without leaving the old session behind', async () => {
    const daemon = await startDaemon();
    const { cookie, call } = await openBrowserSession(daemon);
    const code = await loginCode(daemon);
    const again = await daemon.call('POST', '/api/login', {
      token: null,
      body: { code },
      headers: { ...OWN_PAGE, cookie },
    });
    expect(again.status).toBe(201);
    expect((await call('GET', '/api/sessions')).status).toBe(401);
  });
});

describe('wrong keys', () => {
  test('are slowed down after ten a minute, and a right key still passes', async () => {
    holdClock();
    const { call, key } = await startDaemon();
    const wrong = () => call('GET', '/v1/models', { token: `ask_${'0'.repeat(46)}` });
    for (let n = 0; n < 10; n++) expect((await wrong()).status).toBe(401);
    const reply = await wrong();
    expect([reply.status, codeOf(reply)]).toEqual([429, 'too_many_attempts']);
    expect(Number(reply.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect((await call('GET', '/v1/models', { token: key })).status).toBe(200);
  });
});

describe('a session', () => {
  test('opens management and control, and never inference', async () => {
    const daemon = await startDaemon();
    for (const { call } of [await openBrowserSession(daemon), await openScriptSession(daemon)]) {
      expect((await call('GET', '/api/keys')).status).toBe(200);
      expect((await call('GET', '/api/daemon/status')).status).toBe(200);
      expect((await call('POST', '/api/keys', { body: { name: 'made' } })).status).toBe(201);
      for (const [method, path] of [
        ['POST', '/v1/chat/completions'],
        ['GET', '/v1/models/svc-chat-v1'],
      ] as const) {
        const reply = await call(method, path, method === 'POST' ? { body: {} } : {});
        expect([path, reply.status, codeOf(reply)]).toEqual([path, 401, 'invalid_api_key']);
      }
    }
  });

  test('is listed with the current one, and ends when it is revoked', async () => {
    const daemon = await startDaemon();
    const mine = await openBrowserSession(daemon);
    const other = await openScriptSession(daemon);
    const { sessions } = (await mine.call('GET', '/api/sessions')).json<{
      sessions: { id: string; kind: string; current: boolean }[];
    }>();
    expect(sessions.map(({ kind, current }) => ({ kind, current }))).toEqual([
      { kind: 'script', current: false },
      { kind: 'browser', current: true },
    ]);
    const [theirs, own] = sessions;
    expect((await mine.call('DELETE', `/api/sessions/${theirs?.id}`)).json()).toEqual({ success: true });
    expect((await other.call('GET', '/api/keys')).status).toBe(401);
    const signedOut = await mine.call('DELETE', `/api/sessions/${own?.id}`);
    expect(setCookieOf(signedOut)).toContain('Max-Age=0');
    const after = await mine.call('GET', '/api/keys');
    expect([after.status, codeOf(after)]).toEqual([401, 'not_authenticated']);
  });

  test('ends together with all others', async () => {
    const daemon = await startDaemon();
    const [first, second] = [await openBrowserSession(daemon), await openBrowserSession(daemon)];
    expect((await first.call('DELETE', '/api/sessions')).json()).toEqual({ revoked: 2 });
    expect((await second.call('GET', '/api/keys')).status).toBe(401);
  });

  test('with an unknown id is 404, whatever the id contains', async () => {
    const daemon = await startDaemon();
    const { call } = await openScriptSession(daemon);
    for (const id of ["' OR '1'='1", '%27%3B DROP TABLE sessions', '..%2f', 'sess_0']) {
      expect((await call('DELETE', `/api/sessions/${encodeURIComponent(id)}`)).status).toBe(404);
    }
    expect((await call('GET', '/api/sessions')).status).toBe(200);
  });

  test.each([
    ['of another port', (token: string, port: number) => `askd_session_${port + 1}=${token}`],
    ['under the name for TLS', (token: string) => `__Host-askd_session=${token}`],
    ['without a port', (token: string) => `askd_session=${token}`],
    ['cut short', (token: string, port: number) => `askd_session_${port}=${token.slice(0, -1)}`],
    [
      'with one letter changed',
      (token: string, port: number) => `askd_session_${port}=${wrongByOneLetter(token)}`,
    ],
    ['empty', (_token: string, port: number) => `askd_session_${port}=`],
    ['with SQL', (_token: string, port: number) => `askd_session_${port}=' OR 1=1 --`],
    [
      'behind one that is wrong',
      (token: string, port: number) => `askd_session_${port}=x; askd_session_${port}=${token}`,
    ],
  ])('is not taken from a cookie %s', async (_what, cookieOf) => {
    const daemon = await startDaemon();
    const { cookie } = await openScriptSession(daemon);
    const token = cookie.split('=')[1] ?? '';
    const reply = await daemon.call('GET', '/api/keys', {
      token: null,
      headers: { cookie: cookieOf(token, daemon.port) },
    });
    expect([reply.status, codeOf(reply)]).toEqual([401, 'not_authenticated']);
    expect(reply.text).not.toContain(token);
  });

  test('does not lend its rights to a key that comes with it', async () => {
    const daemon = await startDaemon();
    const { cookie } = await openScriptSession(daemon);
    const reply = await daemon.call('GET', '/api/keys', { token: daemon.key, headers: { cookie } });
    expect(reply.status).toBe(401);
  });

  test('may make 120 requests a minute; the command line is not limited', async () => {
    holdClock();
    const daemon = await startDaemon();
    const { call } = await openScriptSession(daemon);
    const replies: Reply[] = [];
    for (let n = 0; n < 121; n++) replies.push(await call('GET', '/api/sessions'));
    const refused = replies.pop();
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(refused?.status).toBe(429);
    expect(refused && codeOf(refused)).toBe('too_many_requests');
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
    expect((await daemon.call('GET', '/api/sessions')).status).toBe(200);
  });
});

test('the cookie is bound to the host and to TLS where there is TLS', () => {
  expect(cookieName({ port: 11535, secure: true })).toBe('__Host-askd_session');
  expect(cookieName({ port: 11535, secure: false })).toBe('askd_session_11535');
});

test('no answer may be framed, sniffed or sent as referrer, and pages run only their own script', async () => {
  const { port, call } = await startDaemon();
  const api = await call('GET', '/healthz', { token: null });
  expect(api.headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
  for (const path of ['/login', '/dashboard']) {
    const page = await send({ port, path });
    const policy = String(page.headers['content-security-policy']);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(page.text).not.toMatch(/ on\w+=|(src|href)="(?!data:|\/dashboard\/assets\/)/);
  }
  expect((await send({ port, path: '/' })).headers.location).toBe('/dashboard');
});

describe('a stream that a session opened', () => {
  const openPage = async (daemon: TestDaemon) => {
    const { cookie, call } = await openBrowserSession(daemon);
    const stream = await watchEvents(daemon, '', { cookie, ...OWN_PAGE });
    await stream.until((all) => all[0]);
    const ended = new Promise<void>((resolve) => stream.response.once('close', resolve));
    const { sessions } = (await call('GET', '/api/sessions')).json<{
      sessions: { id: string; current: boolean }[];
    }>();
    return { call, stream, ended, id: sessions.find(({ current }) => current)?.id ?? '' };
  };

  test('ends when it is signed out, and no other one does', async () => {
    const daemon = await startDaemon();
    const [left, kept] = [await openPage(daemon), await openPage(daemon)];
    expect((await left.call('DELETE', `/api/sessions/${left.id}`)).status).toBe(200);
    await left.ended;
    const before = kept.stream.received.length;
    await kept.stream.until((all) => all[before]);
    expect(kept.stream.response.closed).toBe(false);
  });

  test('ends when every session is revoked', async () => {
    const daemon = await startDaemon();
    const pages = [await openPage(daemon), await openPage(daemon)];
    expect((await daemon.call('DELETE', '/api/sessions')).json()).toEqual({ revoked: 2 });
    await Promise.all(pages.map(({ ended }) => ended));
  });
});
