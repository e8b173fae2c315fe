import { describe, expect, test } from 'vitest';
import { busy, daemonWith, eventually, hello } from '../../helpers/daemon/chat.ts';
import { send, startDaemon, type TestDaemon } from '../../helpers/daemon/daemon.ts';
import { endlessModel, scriptedModel } from '../../helpers/models/models.ts';
import {
  OWN_PAGE,
  codeOf,
  logIn,
  openBrowserSession,
  openScriptSession,
  type Headers,
} from '../../helpers/accounts/sessions.ts';

const PATH = '/api/sessions/current/key';

type PlaygroundKey = { id: string; scopes: string[]; created_at: string; expires_at: string; key: string };
type Browser = Awaited<ReturnType<typeof openBrowserSession>>;
type Sender = Pick<Browser, 'call'>;

async function playgroundKey({ call }: Sender): Promise<string> {
  return (await call('POST', PATH)).json<PlaygroundKey>().key;
}

async function signOut({ call }: Sender): Promise<void> {
  const { sessions } = (await call('GET', '/api/sessions')).json<{
    sessions: { id: string; current: boolean }[];
  }>();
  const own = sessions.find(({ current }) => current);
  expect((await call('DELETE', `/api/sessions/${own?.id}`)).status).toBe(200);
}

const SERVICE_PATHS = [
  ...['/v1/chat/completions', '/v1/completions', '/v1/embeddings', '/v1/rerank', '/v1/moderations'],
  ...['/v1/translate', '/v1/audio/transcriptions', '/v1/audio/translations', '/v1/audio/speech'],
  '/v1/images/generations',
];

/** The same request, without the cookie of an entitled session. */
type Attack = [what: string, status: number, code: string, headers: (daemon: TestDaemon) => Headers];

const ATTACKS: Attack[] = [
  ['without Origin and Fetch Metadata', 403, 'origin_not_allowed', () => ({})],
  ['of another site', 403, 'origin_not_allowed', () => ({ 'sec-fetch-site': 'cross-site' })],
  ['of another port of this machine', 403, 'origin_not_allowed', () => ({ 'sec-fetch-site': 'same-site' })],
  ['that a person typed', 403, 'origin_not_allowed', () => ({ 'sec-fetch-site': 'none' })],
  ['of a page without an origin', 403, 'origin_not_allowed', () => ({ origin: 'null' })],
  [
    'of another origin',
    403,
    'origin_not_allowed',
    ({ port }) => ({ origin: `http://127.0.0.1:${port + 1}` }),
  ],
  [
    'of another site, with the Origin of this one',
    403,
    'origin_not_allowed',
    ({ port }) => ({ 'sec-fetch-site': 'cross-site', origin: `http://127.0.0.1:${port}` }),
  ],
  [
    'with a form as its body',
    415,
    'unsupported_media_type',
    () => ({ ...OWN_PAGE, 'content-type': 'application/x-www-form-urlencoded' }),
  ],
  [
    'with an API key beside the cookie',
    401,
    'not_authenticated',
    ({ key }) => ({ ...OWN_PAGE, authorization: `Bearer ${key}` }),
  ],
  [
    'with an admin key beside the cookie',
    401,
    'not_authenticated',
    ({ services }) => {
      const wanted = { accountId: 'acct_local', name: 'a', scopes: ['admin'], expiresAt: null };
      return { ...OWN_PAGE, authorization: `Bearer ${services.keys.create(wanted).key}` };
    },
  ],
  [
    'with the root token beside the cookie',
    401,
    'not_authenticated',
    ({ services }) => ({ authorization: `Bearer ${services.rootToken.current()}` }),
  ],
];

describe('the key of the playground', () => {
  test('is created for the page of a session, and its secret is shown to that page only', async () => {
    const daemon = await startDaemon();
    for (const session of [await openBrowserSession(daemon), await openScriptSession(daemon)]) {
      const reply = await session.call('POST', PATH);
      const made = reply.json<PlaygroundKey>();
      expect([reply.status, reply.headers['cache-control']]).toEqual([201, 'no-store']);
      expect(made).toMatchObject({ id: 'playground', scopes: ['chat', 'read'] });
      expect(Date.parse(made.expires_at) - Date.parse(made.created_at)).toBe(15 * 60_000);
      const listed = await session.call('GET', '/api/keys');
      expect(listed.json<{ name: string }[]>().map(({ name }) => name)).toEqual(['test']);
    }
  });

  test.each(ATTACKS)('is refused to a request %s', async (_what, status, code, headersOf) => {
    const daemon = await startDaemon();
    const { cookie, call } = await openBrowserSession(daemon);
    const headers = headersOf(daemon);
    const body = 'content-type' in headers ? 'a=b' : undefined;
    const reply = await send({
      port: daemon.port,
      method: 'POST',
      path: PATH,
      headers: { cookie, ...headers },
      body,
    });
    expect([reply.status, codeOf(reply)]).toEqual([status, code]);
    expect(reply.text).not.toContain('ask_');
    expect((await call('POST', PATH)).status).toBe(201);
  });

  test('is created for a session only, not even for itself', async () => {
    const daemon = await startDaemon();
    const key = await playgroundKey(await openBrowserSession(daemon));
    const root = daemon.services.rootToken.current();
    for (const token of [null, daemon.key, root, key]) {
      const reply = await daemon.call('POST', PATH, { token });
      expect([reply.status, codeOf(reply)]).toEqual([401, 'not_authenticated']);
    }
  });

  test('opens inference to the page and nothing that manages', async () => {
    const daemon = await daemonWith({ m: await scriptedModel('One. Two.') });
    const token = await playgroundKey(await openBrowserSession(daemon));
    const origin = `http://127.0.0.1:${daemon.port}`;
    const chat = await daemon.call('POST', '/v1/chat/completions', {
      token,
      headers: { ...OWN_PAGE, origin },
      body: { model: 'm', messages: hello },
    });
    expect(chat.status).toBe(200);
    for (const path of ['/v1/models/m', '/v1/rate-limit', '/v1/wallet/balance', '/v1/agent/sessions']) {
      expect([path, (await daemon.call('GET', path, { token })).status]).toEqual([path, 200]);
    }
    const refused = [
      ['GET', '/api/keys', 401],
      ['GET', '/api/sessions', 401],
      ['GET', '/api/daemon/status', 403],
      ['GET', '/api/usage', 403],
      ['POST', '/api/daemon/pulls', 403],
      ['POST', '/api/daemon/pulls/dl_1/pause', 403],
      ['POST', '/api/daemon/pulls/dl_1/resume', 403],
      ['GET', '/api/daemon/docs', 403],
      ['POST', '/v1/wallet/top-up', 403],
    ] as const;
    for (const [method, path, status] of refused) {
      const reply = await daemon.call(method, path, { token, ...(method === 'POST' && { body: {} }) });
      expect([path, reply.status]).toEqual([path, status]);
    }
  });

  test('opens every service that the playground has a form for', async () => {
    const daemon = await startDaemon();
    const token = await playgroundKey(await openBrowserSession(daemon));
    for (const path of SERVICE_PATHS) {
      const reply = await daemon.call('POST', path, { token, body: {} });
      // Past authentication and scope, the empty request itself is refused.
      expect([path, reply.status >= 400 && ![401, 403, 404].includes(reply.status)]).toEqual([path, true]);
    }
  });

  test('shows in the usage as the playground, whichever key it was', async () => {
    const daemon = await daemonWith({ m: await scriptedModel('One. Two.') });
    const page = await openBrowserSession(daemon);
    for (let visit = 0; visit < 2; visit++) {
      const token = await playgroundKey(page);
      const body = { model: 'm', messages: hello };
      expect((await daemon.call('POST', '/v1/chat/completions', { token, body })).status).toBe(200);
    }
    const usage = await page.call('GET', '/api/usage?bucket=all&group_by=key');
    expect(usage.json()).toMatchObject({ data: [{ key: 'playground', requests: 2 }] });
  });

  test('finds again what an earlier key of the playground began, and no other key does', async () => {
    const daemon = await startDaemon();
    const began = await playgroundKey(await openBrowserSession(daemon));
    const made = await daemon.call('POST', '/v1/conversations', { token: began, body: {} });
    const path = `/v1/conversations/${made.json<{ id: string }>().id}`;
    const next = await playgroundKey(await openBrowserSession(daemon));
    expect((await daemon.call('GET', path, { token: next })).status).toBe(200);
    expect((await daemon.call('GET', path, { token: daemon.key })).status).toBe(404);
  });

  test('is refused at once when its session ends; what it began continues', async () => {
    const daemon = await daemonWith({ m: await endlessModel() });
    const page = await openBrowserSession(daemon);
    const token = await playgroundKey(page);
    const chat = (tokens: number) =>
      daemon.call('POST', '/v1/chat/completions', {
        token,
        body: { model: 'm', messages: hello, max_tokens: tokens },
      });
    const running = chat(1500);
    await eventually(() => busy(daemon)).toBe(1);
    await signOut(page);
    const refused = await chat(1);
    expect([refused.status, codeOf(refused)]).toEqual([401, 'invalid_api_key']);
    expect((await running).status).toBe(200);
  });

  test.each([
    ['all sessions are ended', (_daemon: TestDaemon, { call }: Browser) => call('DELETE', '/api/sessions')],
    [
      'the same browser signs in again',
      (daemon: TestDaemon, { cookie }: Browser) => logIn(daemon, { ...OWN_PAGE, cookie }),
    ],
  ])('ends when %s', async (_what, end) => {
    const daemon = await startDaemon();
    const page = await openBrowserSession(daemon);
    const token = await playgroundKey(page);
    const status = async () => (await daemon.call('GET', '/v1/rate-limit', { token })).status;
    expect(await status()).toBe(200);
    expect((await end(daemon, page)).status).toBeLessThan(300);
    expect(await status()).toBe(401);
  });
});
