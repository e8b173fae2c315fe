import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LoginHolder } from '../../src/access/login-codes.ts';
import type { Sessions } from '../../src/access/sessions.ts';
import { readSessionCookie, sessionCookie } from './session-cookie.ts';

/** Opens the session of a browser and sets its cookies, whatever it signed in with. */
export function openBrowserSession(
  sessions: Pick<Sessions, 'open' | 'verify' | 'revoke'>,
  { accountId, memberId }: LoginHolder,
  { request, reply, ended = [] }: { request: FastifyRequest; reply: FastifyReply; ended?: readonly string[] },
) {
  // A browser that signs in again gets a new session, and the old one must not remain.
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
