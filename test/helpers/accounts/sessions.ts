import type { Reply, TestDaemon } from '../daemon/daemon.ts';

export type Headers = Record<string, string>;

export function codeOf(reply: Reply): string {
  return reply.json<{ error: { code: string } }>().error.code;
}

/** What a browser adds to a request from the daemon's own page. */
export const OWN_PAGE = { 'sec-fetch-site': 'same-origin' };

export async function loginCode({ call }: TestDaemon): Promise<string> {
  const reply = await call('POST', '/api/login-codes');
  return new URL(reply.json<{ login_url: string }>().login_url).hash.slice(1);
}

export async function logIn(daemon: TestDaemon, headers: Headers = OWN_PAGE): Promise<Reply> {
  const code = await loginCode(daemon);
  return daemon.call('POST', '/api/login', { token: null, body: { code }, headers });
}

/** A signed-in browser: its requests carry the cookie and what browsers add. */
export async function openBrowserSession(daemon: TestDaemon) {
  const cookie = setCookieOf(await logIn(daemon)).split(';')[0] ?? '';
  const call = (
    method: string,
    path: string,
    { headers, body }: { headers?: Headers; body?: unknown } = {},
  ) => daemon.call(method, path, { token: null, body, headers: { cookie, ...(headers ?? OWN_PAGE) } });
  return { cookie, call };
}

/** A program with a session that the command line created for it. */
export async function openScriptSession(daemon: Pick<TestDaemon, 'call'>) {
  const { cookie } = (await daemon.call('POST', '/api/sessions')).json<{ cookie: string }>();
  const call = (
    method: string,
    path: string,
    { headers, body }: { headers?: Headers; body?: unknown } = {},
  ) => daemon.call(method, path, { token: null, body, headers: { cookie, ...headers } });
  return { cookie, call };
}

export function setCookieOf({ headers }: Reply): string {
  return headers['set-cookie']?.[0] ?? '';
}
