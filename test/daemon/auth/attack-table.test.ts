import { describe, expect, test } from 'vitest';
import type { Endpoint } from '../../../src/api/endpoint.ts';
import { ENDPOINTS } from '../../../src/api/endpoints.ts';
import { OLLAMA_ENDPOINTS } from '../../../src/api/ollama/endpoints.ts';
import {
  codeOf,
  logIn,
  openBrowserSession,
  OWN_PAGE,
  setCookieOf,
  type Headers,
} from '../../helpers/accounts/sessions.ts';
import { send, startDaemon } from '../../helpers/daemon/daemon.ts';

const FOR_SESSIONS = ['management', 'control', 'session'];
/** Ollama's routes are off; when they are on, they answer without any credential. */
const ROUTES = ENDPOINTS.filter((endpoint) => !OLLAMA_ENDPOINTS.includes(endpoint));
/** What a dashboard session opens. A new route is automatically in the table. */
const SESSION_ROUTES = ROUTES.filter(({ access }) => FOR_SESSIONS.includes(access));
const OTHERS = ROUTES.filter(({ access }) => !FOR_SESSIONS.includes(access) && access !== 'public');

const isRead = ({ method }: Endpoint) => method === 'GET';
const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
const addressOf = ({ path }: Endpoint) => path.replace(/\{\w+\*?\}/g, 'x');
/** Node sends the body of a DELETE without its length. */
const bodyOf = ({ method }: Endpoint) => (method === 'GET' || method === 'DELETE' ? undefined : {});

type Attack = { headers: Headers; onReads: boolean };

/** Headers that pages from elsewhere make a browser send, given the daemon's port. */
const FORGERIES: Record<string, (port: number) => Attack> = {
  'a page of another site': () => ({ headers: { 'sec-fetch-site': 'cross-site' }, onReads: true }),
  'a page of another port of this machine': (port) => ({
    headers: { 'sec-fetch-site': 'same-site', origin: `http://127.0.0.1:${port + 1}` },
    onReads: true,
  }),
  'an older browser on another page': (port) => ({
    headers: { origin: `http://127.0.0.1:${port + 1}` },
    onReads: true,
  }),
  'a sandboxed frame': () => ({ headers: { 'sec-fetch-site': 'cross-site', origin: 'null' }, onReads: true }),
  'a browser that says nothing': () => ({ headers: {}, onReads: false }),
  'a link from outside': () => ({ headers: { 'sec-fetch-site': 'none' }, onReads: false }),
};

describe('each route that a session opens', () => {
  test('is in the table', () => {
    const names = SESSION_ROUTES.map(nameOf);
    expect(names).toEqual(
      expect.arrayContaining(['PUT /api/settings/{name}', 'POST /api/wallet/top-up', 'POST /api/webhooks']),
    );
    expect(new Set(names).size).toBe(names.length);
  });

  test.each(Object.entries(FORGERIES))('refuses %s with the cookie', async (_who, forgery) => {
    const daemon = await startDaemon();
    const { call } = await openBrowserSession(daemon);
    const { headers, onReads } = forgery(daemon.port);
    for (const endpoint of SESSION_ROUTES.filter((each) => onReads || !isRead(each))) {
      const reply = await call(endpoint.method, addressOf(endpoint), { headers, body: bodyOf(endpoint) });
      expect([nameOf(endpoint), reply.status, codeOf(reply)]).toEqual([
        nameOf(endpoint),
        403,
        'origin_not_allowed',
      ]);
    }
  });

  test('refuses a form, which any page can send', async () => {
    const daemon = await startDaemon();
    const { call } = await openBrowserSession(daemon);
    for (const endpoint of SESSION_ROUTES.filter((each) => !isRead(each))) {
      const headers = { ...OWN_PAGE, 'content-type': 'text/plain' };
      const reply = await call(endpoint.method, addressOf(endpoint), {
        headers,
        body: bodyOf(endpoint) && '{}',
      });
      expect([nameOf(endpoint), reply.status]).toEqual([nameOf(endpoint), 415]);
    }
  });

  test('refuses the cookie of another port, one that an attacker chose, and an ended one', async () => {
    const daemon = await startDaemon();
    const session = await openBrowserSession(daemon);
    const [, token = ''] = session.cookie.split('=');
    await session.call('DELETE', '/api/sessions');
    const cookies = {
      'of another port': `askd_session_${daemon.port + 1}=${token}`,
      chosen: `askd_session_${daemon.port}=asksess_${'A'.repeat(43)}`,
      ended: session.cookie,
    };
    for (const [which, cookie] of Object.entries(cookies)) {
      for (const endpoint of SESSION_ROUTES) {
        const { status } = await daemon.call(endpoint.method, addressOf(endpoint), {
          token: null,
          body: bodyOf(endpoint),
          headers: { cookie, ...OWN_PAGE },
        });
        expect([which, nameOf(endpoint), status]).toEqual([which, nameOf(endpoint), 401]);
      }
    }
  });

  test('refuses an API key where only a person or the command line is allowed', async () => {
    const daemon = await startDaemon();
    const { keys } = daemon.services;
    const scopes = ['chat', 'read', 'write', 'admin'] as const;
    const all = keys.create({ accountId: 'acct_local', name: 'all', scopes, expiresAt: null });
    const few = keys.create({
      accountId: 'acct_local',
      name: 'few',
      scopes: ['chat', 'read', 'write'],
      expiresAt: null,
    });
    for (const endpoint of SESSION_ROUTES) {
      const isControl = endpoint.access === 'control';
      const { status } = await daemon.call(endpoint.method, addressOf(endpoint), {
        token: isControl ? few.key : all.key,
        body: bodyOf(endpoint),
      });
      expect([nameOf(endpoint), status]).toEqual([nameOf(endpoint), isControl ? 403 : 401]);
    }
  });
});

test('no other route accepts a cookie, so a stolen one cannot run a model', async () => {
  const daemon = await startDaemon();
  const { call } = await openBrowserSession(daemon);
  expect(OTHERS.length).toBeGreaterThan(20);
  for (const endpoint of OTHERS) {
    const headers = endpoint.isForm
      ? { ...OWN_PAGE, 'content-type': 'multipart/form-data; boundary=x' }
      : OWN_PAGE;
    const { status } = await call(endpoint.method, addressOf(endpoint), { headers, body: bodyOf(endpoint) });
    expect([nameOf(endpoint), status]).toEqual([nameOf(endpoint), 401]);
  }
});

test('signing in creates a new session, whatever cookie was sent', async () => {
  const daemon = await startDaemon();
  const planted = `askd_session_${daemon.port}=asksess_${'A'.repeat(43)}`;
  const made = setCookieOf(await logIn(daemon, { ...OWN_PAGE, cookie: planted })).split(';')[0] ?? '';
  const again = setCookieOf(await logIn(daemon, { ...OWN_PAGE, cookie: made })).split(';')[0] ?? '';
  expect(new Set([planted, made, again]).size).toBe(3);
  const reply = await daemon.call('GET', '/api/keys', {
    token: null,
    headers: { cookie: planted, ...OWN_PAGE },
  });
  expect(reply.status).toBe(401);
});

test('no page of the daemon can be framed', async () => {
  const { port } = await startDaemon();
  for (const path of ['/dashboard', '/dashboard/settings', '/login', '/checkout/askpay_none']) {
    const { headers } = await send({ port, path });
    expect([path, headers['content-security-policy']]).toEqual([
      path,
      expect.stringContaining("frame-ancestors 'none'") as string,
    ]);
    expect([path, headers['x-frame-options']]).toEqual([path, 'DENY']);
  }
});
