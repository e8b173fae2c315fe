import {
  createLoginCode,
  createPlaygroundKey,
  createSession,
  deleteSession,
  deleteSessions,
  listSessions,
  login,
} from '../../../src/api/account/sessions.ts';
import { playgroundOf } from '../../../src/access/session-keys.ts';
import { invalidLoginCode } from '../../../src/access/login-codes.ts';
import { toIso } from '../../../src/base/clock.ts';
import { baseUrls } from '../../../src/base/presence.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';
import { ownOnly } from '../../auth/roles.ts';
import { requireOwnPage } from '../../auth/origin-guard.ts';
import { openBrowserSession } from '../../auth/browser-sessions.ts';
import { cookieName, endedCookie } from '../../auth/session-cookie.ts';

const SECRET_ANSWER = { 'cache-control': 'no-store' };

export function registerSessions(
  register: RegisterRoute,
  { accounts, members, keys, sessions, loginCodes, attempts, boot }: Services,
): void {
  register(createLoginCode, ({ principal, reply }) => {
    const { code, expiresAt } = loginCodes.issue({ accountId: principal.accountId });
    void reply.headers(SECRET_ANSWER);
    return { login_url: loginUrl(boot, code), expires_at: toIso(expiresAt) };
  });

  register(login, ({ body, request, reply }) => {
    requireOwnPage(request, { mayLackBoth: false });
    const holder = attempts.checkRarely(request, () => loginCodes.redeem(body.code));
    accounts.refuseSuspended(holder.accountId);
    if (holder.memberId !== undefined && !members.isThere(holder.memberId)) throw invalidLoginCode();
    const { id, expiresAt } = openBrowserSession(sessions, holder, { request, reply });
    return { id, expires_at: toIso(expiresAt) };
  });

  register(createSession, ({ principal, request, reply }) => {
    const { id, token, expiresAt } = sessions.open({
      accountId: principal.accountId,
      kind: 'script',
      userAgent: request.headers['user-agent'],
    });
    void reply.headers(SECRET_ANSWER);
    const name = cookieName({ port: request.socket.localPort ?? 0, secure: request.protocol === 'https' });
    return { id, cookie: `${name}=${token}`, expires_at: toIso(expiresAt) };
  });

  register(createPlaygroundKey, ({ principal, reply }) => {
    const { key, scopes, createdAt, expiresAt } = keys.issueForSession(principal.sessionId ?? '');
    void reply.headers(SECRET_ANSWER);
    const times = { created_at: toIso(createdAt), expires_at: toIso(expiresAt) };
    return { id: playgroundOf(principal.memberId ?? null), scopes, ...times, key };
  });

  register(listSessions, ({ principal }) => ({
    sessions: sessions
      .list(principal.accountId, ownOnly(principal))
      .map((session) => ({ ...session, current: session.id === principal.sessionId })),
  }));

  register(deleteSession, ({ params, principal, request, reply }) => {
    const id = params['id'] ?? '';
    sessions.revoke(principal.accountId, id, ownOnly(principal));
    if (id === principal.sessionId) void reply.header('set-cookie', endedCookie(request));
    return { success: true as const };
  });

  register(deleteSessions, ({ principal, request, reply }) => {
    if (principal.sessionId !== undefined) void reply.header('set-cookie', endedCookie(request));
    return { revoked: sessions.revokeAll(principal.accountId, ownOnly(principal)) };
  });
}

/** The code is in the fragment, which browsers never send, so no log, proxy or referrer ever sees it. */
export function loginUrl(boot: Services['boot'], code: string): string {
  return `${baseUrls(boot.address()).management_url}/login#${code}`;
}
