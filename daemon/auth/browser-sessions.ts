import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LoginHolder } from '../../src/access/login-codes.ts';
import type { Sessions } from '../../src/access/sessions.ts';
import { readSessionCookie, sessionCookie } from './session-cookie.ts';

/** Opens a browser session and sets its cookies, however the user signed in. */
export function openBrowserSession(
  sessions: Pick<Sessions, 'open' | 'verify' | 'revoke'>,
  { accountId, memberId }: LoginHolder,
  { request, reply, ended = [] }: { request: FastifyRequest; reply: FastifyReply; ended?: readonly string[] },
) {
  // Signing in again replaces the old session of the browser.
  const earlier = sessions.verify(readSessionCookie(request) ?? '');
  if (earlier !== undefined) sessions.revoke(earlier.accountId, earlier.id);
  const userAgent = request.headers['user-agent'];
  const { id, token, expiresAt } = sessions.open({ accountId, memberId, kind: 'browser', userAgent });
  void reply.headers({
    'cache-control': 'no-store',
    'set-cookie': [sessionCookie(request, token), ...ended],
  });
  return { id, expiresAt };
}
