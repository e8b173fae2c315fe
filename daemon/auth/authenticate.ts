import type { FastifyRequest } from 'fastify';
import type { Accounts } from '../../src/access/accounts.ts';
import type { Attempts } from '../../src/access/attempts.ts';
import type { Keys, Principal } from '../../src/access/keys.ts';
import { createMinuteCounts } from '../../src/access/minute-counts.ts';
import { requireScope, type Scope } from '../../src/access/scopes.ts';
import type { Sessions } from '../../src/access/sessions.ts';
import { ACCOUNT_HEADER } from '../../src/api/account/account-header.ts';
import type { Access } from '../../src/api/endpoint.ts';
import type { Clock } from '../../src/base/clock.ts';
import { Failure } from '../../src/base/errors.ts';
import { looksLikeRootToken, sameSecret, type RootToken } from '../../src/base/secrets.ts';
import { ACCOUNT_ID } from './account.ts';
import { isFromBrowser } from './local-program.ts';
import { isRead, requireJson, requireOwnPage } from './origin-guard.ts';
import { readSessionCookie } from './session-cookie.ts';

const SESSION_REQUESTS_PER_MINUTE_MAX = 120;
/** What a session cookie may open: never inference. */
const FOR_SESSIONS: readonly Access[] = ['management', 'control', 'session'];
/** What no API key opens. */
const NOT_FOR_KEYS: readonly Access[] = ['owner', 'management', 'session'];

export type Authenticator = ReturnType<typeof createAuthenticator>;

type Parts = {
  accounts: Accounts;
  keys: Keys;
  sessions: Sessions;
  attempts: Attempts;
  rootToken: RootToken;
  clock: Clock;
};
type Credential = { kind: 'owner' | 'key' | 'session'; principal: Principal };

/** Authenticates a request by its credential alone, and checks what it may do. */
export function createAuthenticator({ accounts, keys, sessions, attempts, rootToken, clock }: Parts) {
  const owner: Credential = {
    kind: 'owner',
    principal: { accountId: ACCOUNT_ID, keyId: null, scopes: ['admin'], isRoot: true },
  };
  const anyone: Principal = { accountId: ACCOUNT_ID, keyId: null, scopes: [] };
  const sessionRequests = createMinuteCounts({ clock, max: SESSION_REQUESTS_PER_MINUTE_MAX });

  function byToken(request: FastifyRequest, token: string): Credential {
    return attempts.check(request, () => {
      if (!looksLikeRootToken(token)) return { kind: 'key', principal: keys.verify(token) };
      refuseBrowsers(request);
      if (sameSecret(token, rootToken.current())) return ofNamedAccount(request);
      throw wrongRootToken();
    });
  }

  /** The owner of the machine may act for any account. */
  function ofNamedAccount({ headers }: FastifyRequest): Credential {
    const name = headers[ACCOUNT_HEADER];
    if (typeof name !== 'string') return owner;
    return { kind: 'owner', principal: { ...owner.principal, accountId: accounts.find(name).id } };
  }

  function bySession(request: FastifyRequest, token: string): Credential {
    const session = sessions.verify(token);
    if (session === undefined) throw sessionEnded();
    requireOwnPage(request, { mayLackBoth: isRead(request) || session.kind === 'script' });
    if (!isRead(request)) requireJson(request);
    const wait = sessionRequests.add(session.id);
    if (wait !== undefined) throw tooManyRequests(wait);
    const { accountId, id, member } = session;
    const who = member && { memberId: member.id, role: member.role };
    const principal = { accountId, keyId: null, sessionId: id, scopes: ['admin'], ...who };
    return { kind: 'session', principal };
  }

  function identify(request: FastifyRequest, access: Access): Credential | undefined {
    if (request.batch) return { kind: 'key', principal: request.batch.principal };
    const token = bearerToken(request);
    if (token !== undefined) return byToken(request, token);
    if (!FOR_SESSIONS.includes(access)) return undefined;
    const cookie = readSessionCookie(request);
    return cookie === undefined ? undefined : bySession(request, cookie);
  }

  /** A key or session belongs to one account and cannot name another. */
  function refuseOther({ headers }: FastifyRequest, { accountId }: Principal): void {
    if (headers[ACCOUNT_HEADER] !== undefined) throw onlyRootNames();
    accounts.refuseSuspended(accountId);
  }

  return {
    admit(request: FastifyRequest, access: Access): Principal {
      const credential = identify(request, access);
      if (access === 'public') return credential?.principal ?? anyone;
      if (!credential) throw noCredential(access);
      const { kind, principal } = credential;
      if (kind !== 'owner') refuseOther(request, principal);
      if (NOT_FOR_KEYS.includes(access)) {
        if (kind === 'key') throw keysDoNotManage();
        if (access === 'session' && kind !== 'session') throw needsSession();
      } else {
        requireScope(principal.scopes, access === 'control' ? 'admin' : (access as Scope));
      }
      return principal;
    },
  };
}

export function bearerToken(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization;
  if (header === undefined) return keyHeader(request);
  const token = /^Bearer +(\S+)$/i.exec(header)?.[1];
  if (token !== undefined) return token;
  throw new Failure('invalid_api_key', 'The Authorization header must be: Bearer API_KEY');
}

/** The header that Anthropic's clients send. */
function keyHeader({ headers }: FastifyRequest): string | undefined {
  const key = headers['x-api-key'];
  return typeof key === 'string' && key !== '' ? key : undefined;
}

/** The root token is for the command line: if a browser has it, somebody else gave it to the browser. */
function refuseBrowsers(request: FastifyRequest): void {
  if (!isFromBrowser(request)) return;
  throw new Failure('origin_not_allowed', 'The root token is not accepted from a browser.');
}

function noCredential(access: Access): Failure {
  if (access === 'management') {
    return new Failure(
      'not_authenticated',
      'This route needs a dashboard session or the command line: askd dashboard, or askd keys --help',
    );
  }
  if (access === 'session') return needsSession();
  if (access === 'owner') {
    return new Failure('not_authenticated', 'This route is only for the command line: askd session --help');
  }
  return new Failure(
    'invalid_api_key',
    'No API key was given. Send the header "Authorization: Bearer API_KEY"; create a key: askd keys create --name NAME',
  );
}

function needsSession(): Failure {
  return new Failure(
    'not_authenticated',
    'This route is only for the pages of a dashboard session: askd dashboard',
  );
}

function onlyRootNames(): Failure {
  return new Failure(
    'role_not_allowed',
    'Only the owner of this server can choose the account of a request: on the command line, without an API key.',
  );
}

function wrongRootToken(): Failure {
  return new Failure(
    'not_authenticated',
    'The root token is not valid for this daemon. Check that ASKD_HOME is the home of this daemon.',
  );
}

function keysDoNotManage(): Failure {
  return new Failure(
    'not_authenticated',
    'API keys cannot be used for management routes. Use a dashboard session or the command line: askd dashboard',
  );
}

function sessionEnded(): Failure {
  return new Failure(
    'not_authenticated',
    'The dashboard session has expired. Open a new one: askd dashboard',
  );
}

function tooManyRequests(retryAfterSeconds: number): Failure {
  return new Failure(
    'too_many_requests',
    `A dashboard session may make ${SESSION_REQUESTS_PER_MINUTE_MAX} requests per minute. Try again in ${retryAfterSeconds} seconds.`,
    { retryAfterSeconds },
  );
}
