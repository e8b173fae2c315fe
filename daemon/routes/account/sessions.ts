import {
  createLoginCode,
  createPlaygroundKey,
  createSession,
  deleteSession,
  deleteSessions,
  listSessions,
  login,
} from '../../../src/api/account/sessions.ts';
import { PLAYGROUND_ID } from '../../../src/access/session-keys.ts';
import { toIso } from '../../../src/base/clock.ts';
import { baseUrls } from '../../../src/base/presence.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';
import { requireOwnPage } from '../../auth/origin-guard.ts';
import { cookieName, endedCookie, readSessionCookie, sessionCookie } from '../../auth/session-cookie.ts';

const SECRET_ANSWER = { 'cache-control': 'no-store' };

export function registerSessions(
  register: RegisterRoute,
  { keys, sessions, loginCodes, attempts, boot }: Services,
): void {
  register(createLoginCode, ({ principal, reply }) => {
    const { code, expiresAt } = loginCodes.issue(principal.accountId);
    void reply.headers(SECRET_ANSWER);
    // In the fragment, because browsers never send that: no log, proxy or referrer ever sees it.
    const loginUrl = `${baseUrls(boot.address()).management_url}/login#${code}`;
    return { login_url: loginUrl, expires_at: toIso(expiresAt) };
  });

  register(login, ({ body, request, reply }) => {
    requireOwnPage(request, { mayLackBoth: false });
    const accountId = attempts.checkRarely(request, () => loginCodes.redeem(body.code));
    endEarlier(readSessionCookie(request));
    const { id, token, expiresAt } = sessions.open({
      accountId,
      kind: 'browser',
      userAgent: request.headers['user-agent'],
    });
    void reply.headers({ ...SECRET_ANSWER, 'set-cookie': sessionCookie(request, token) });
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
    return { id: PLAYGROUND_ID, scopes, ...times, key };
  });

  register(listSessions, ({ principal }) => ({
    sessions: sessions
      .list(principal.accountId)
      .map((session) => ({ ...session, current: session.id === principal.sessionId })),
  }));

  register(deleteSession, ({ params, principal, request, reply }) => {
    const id = params['id'] ?? '';
    sessions.revoke(principal.accountId, id);
    if (id === principal.sessionId) void reply.header('set-cookie', endedCookie(request));
    return { success: true as const };
  });

  register(deleteSessions, ({ principal, request, reply }) => {
    if (principal.sessionId !== undefined) void reply.header('set-cookie', endedCookie(request));
    return { revoked: sessions.revokeAll(principal.accountId) };
  });

  /** A browser that signs in again gets a new session, and the old one must not remain. */
  function endEarlier(token: string | undefined): void {
    const earlier = token === undefined ? undefined : sessions.verify(token);
    if (earlier !== undefined) sessions.revoke(earlier.accountId, earlier.id);
  }
}
