import type { TestDaemon } from '../daemon/daemon.ts';

type Options = { body?: unknown; headers?: Record<string, string> };

/**
 * An account besides the machine's own, with an admin key and a session. `asOwner` is the command line with
 * --account.
 */
export async function openAccount({ call }: TestDaemon, name: string) {
  await call('POST', '/api/accounts', { body: { name } });
  const asOwner = (method: string, path: string, { headers, ...rest }: Options = {}) =>
    call(method, path, { ...rest, headers: { 'askd-account': name, ...headers } });
  await asOwner('PUT', '/api/account/tier', { body: { tier: 'enterprise' } });
  await asOwner('PUT', '/api/account/profile', { body: { profile: 'personal' } });
  const made = await asOwner('POST', '/api/keys', {
    body: { name: 'all', scopes: ['chat', 'read', 'write', 'admin'] },
  });
  const { key } = made.json<{ key: string }>();
  const { cookie } = (await asOwner('POST', '/api/sessions')).json<{ cookie: string }>();
  return {
    name,
    key,
    asOwner,
    byKey: (method: string, path: string, options: Options = {}) =>
      call(method, path, { ...options, token: key }),
    bySession: (method: string, path: string, { body, headers }: Options = {}) =>
      call(method, path, { body, token: null, headers: { cookie, ...headers } }),
  };
}

export type OtherAccount = Awaited<ReturnType<typeof openAccount>>;
