import type { FastifyRequest } from 'fastify';
import { createMinuteCounts } from '../../../src/access/minute-counts.ts';
import type { OidcLogins } from '../../../src/access/oidc/oidc-logins.ts';
import { signInRefused } from '../../../src/access/oidc/failures.ts';
import { beginOidcLogin, finishOidcLogin } from '../../../src/api/account/oidc.ts';
import { toIso } from '../../../src/base/clock.ts';
import { Failure } from '../../../src/base/errors.ts';
import { originOf } from '../../audit/audited.ts';
import { NOBODY } from '../../audit/actor.ts';
import { openBrowserSession } from '../../auth/browser-sessions.ts';
import { ownOrigin, requireOwnPage } from '../../auth/origin-guard.ts';
import { loginCookie, readLoginCookie } from '../../auth/session-cookie.ts';
import type { Services } from '../../compose.ts';
import { failureFrom } from '../../http/error-mapping.ts';
import type { RegisterRoute } from '../../http/register-route.ts';

/** From one address. Each attempt costs a request to the provider. */
const BEGUN_PER_MINUTE_MAX = 30;
const ACTION = 'session.login';

type SignedIn = { email: string; subject: string; account?: string | undefined };

/** Signing in through the configured OpenID provider: existing members only, by their verified email address. */
export function registerOidc(register: RegisterRoute, services: Services): void {
  const { oidcLogins, members, accounts, sessions, attempts, auditLog, store, clock } = services;
  const beginnings = createMinuteCounts({ clock, max: BEGUN_PER_MINUTE_MAX });

  register(beginOidcLogin, async ({ body: { account }, request, reply }) => {
    requireOwnPage(request, { mayLackBoth: false });
    const logins = required(oidcLogins);
    const wait = beginnings.add(request.ip);
    if (wait !== undefined) throw tooMany(wait);
    const { url, browser, lifetimeMs } = await logins.begin({ redirectUri: redirectUri(request), account });
    void reply.headers({
      'cache-control': 'no-store',
      'set-cookie': loginCookie(request, browser, lifetimeMs),
    });
    return { url };
  });

  register(finishOidcLogin, async ({ body, request, reply }) => {
    requireOwnPage(request, { mayLackBoth: false });
    const logins = required(oidcLogins);
    const answer = { ...body, browser: readLoginCookie(request) };
    const login = attempts.checkRarely(request, () => logins.take(answer));
    try {
      const holder = holderOf(logins, await logins.finish(login));
      const ended = [loginCookie(request, '', 0)];
      return store.transaction(() => {
        const { id, expiresAt } = openBrowserSession(sessions, holder, { request, reply, ended });
        const { accountId, account, name } = holder;
        auditLog.record({
          ...originOf(request),
          ...{ action: ACTION, outcome: 'succeeded', accountId, object: id },
          actor: { kind: 'session', id, name },
          after: { account, member: name, issuer: logins.issuer },
        });
        return { id, expires_at: toIso(expiresAt) };
      });
    } catch (error) {
      const { code } = failureFrom(error);
      auditLog.record({ ...originOf(request), action: ACTION, actor: NOBODY, outcome: 'failed', code });
      throw error;
    }
  });

  function holderOf({ issuer }: OidcLogins, { email, subject, account }: SignedIn) {
    const holder = members.ofEmail(email, account);
    if (holder === undefined)
      throw signInRefused(
        `${issuer} knows you as ${email}, but no member${account === undefined ? '' : ` of ${account}`} has that address. An owner of the account can add you`,
      );
    accounts.refuseSuspended(holder.accountId);
    if (!members.linkSubject(holder.memberId, { issuer, subject }))
      throw signInRefused(
        `${email} belonged to a different user of ${issuer} when ${holder.name} first signed in. If it is still the same person, an owner of the account can add them again: askd account remove-member ${holder.name}, then askd account add-member ${holder.name}`,
      );
    return holder;
  }
}

/** Only the page knows its own URL, which a proxy may hide from us. Its host has been checked. */
function redirectUri(request: FastifyRequest): string {
  const { origin = '', host } = request.headers;
  const isOwn = URL.canParse(origin) && new URL(origin).host === host;
  return `${isOwn ? origin : ownOrigin(request)}/login`;
}

function required(logins: OidcLogins | undefined): OidcLogins {
  if (logins) return logins;
  throw new Failure('not_found', 'No OpenID provider is configured on this server.', {
    details: { fix: 'askd config set oidc_issuer URL' },
  });
}

function tooMany(retryAfterSeconds: number): Failure {
  return new Failure(
    'too_many_attempts',
    `Too many logins were started from this address. Try again in ${retryAfterSeconds} seconds.`,
    { retryAfterSeconds },
  );
}
