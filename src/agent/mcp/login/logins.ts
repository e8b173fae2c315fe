import type { Clock } from '../../../base/clock.ts';
import { Failure } from '../../../base/errors.ts';
import { sameSecret } from '../../../base/secrets.ts';
import type { AgentOutbound } from '../../outbound.ts';
import type { Authorization } from '../connection.ts';
import type { ServerDefinition } from '../definition.ts';
import type { Registry } from '../registry.ts';
import type { BegunLogin, LoginWanted } from './begin.ts';
import { loginFailed, loginNeeded } from './failures.ts';
import type { Login, Tokens } from './login.ts';
import { createLoginFetch } from './login-fetch.ts';
import type { LoginAnswer } from './tokens.ts';

const LOGIN_MS_MAX = 15_000;
const BEGUN_MS_MAX = 10 * 60_000;
/** A token that expires within this time is renewed before it is used. */
const RENEW_BEFORE_MS = 30_000;

export type Logins = ReturnType<typeof createLogins>;

type Parts = { registry: Registry; outbound: AgentOutbound; clock: Clock; loginMsMax?: number };
type Remote = { name: string; url: string };

/** The owner's logins at the authorization servers of MCP servers. The tokens stay in the daemon, encrypted. */
export function createLogins({ registry, outbound, clock, loginMsMax = LOGIN_MS_MAX }: Parts) {
  const begun = new Map<string, BegunLogin & { until: number }>();
  const renewing = new Map<string, Promise<string>>();
  const lacking = new Map<string, string>();
  const way = { outbound, answerMsMax: loginMsMax };
  const nowMs = () => clock.now();
  const isEnding = ({ expiresAt = Infinity }: Tokens) => expiresAt - RENEW_BEFORE_MS <= nowMs();
  const fetchOf = (server: Remote, session?: Pick<NonNullable<Login['session']>, 'authority'>) =>
    createLoginFetch(way, { ...server, isPrivate: session?.authority.isPrivate ?? false });

  /** All requests that need a new token wait for the one that fetches it: a refresh token may work only once. */
  function renew(server: Remote): Promise<string> {
    const running = renewing.get(server.name);
    if (running !== undefined) return running;
    const renewed = renewNow(server).finally(() => renewing.delete(server.name));
    renewing.set(server.name, renewed);
    return renewed;
  }

  async function renewNow(server: Remote): Promise<string> {
    const { client, session } = registry.loginOf(server.name) ?? {};
    if (client === undefined || session === undefined) throw loginNeeded(server.name);
    const isCurrent = () => registry.loginOf(server.name)?.session?.tokens.access === session.tokens.access;
    const { refresh } = await import('./tokens.ts');
    try {
      const { fetch } = fetchOf(server, session);
      const tokens = await refresh(server.name, { client, session }, { fetch, nowMs });
      if (isCurrent()) registry.keepLogin(server.name, { client, session: { ...session, tokens } });
      return tokens.access;
    } catch (error) {
      const isRefused = error instanceof Failure && error.code === 'mcp_login_needed';
      if (isRefused && isCurrent()) registry.keepLogin(server.name, { client });
      throw error;
    }
  }

  /** How requests to a server get its token. */
  function authorizationOf(server: Remote): Authorization {
    const sentFor = new WeakMap<Response, string | null>();
    return {
      async token() {
        const tokens = registry.loginOf(server.name)?.session?.tokens;
        return tokens?.refresh !== undefined && isEnding(tokens) ? renew(server) : tokens?.access;
      },
      // Several requests may be in flight, and one may be refused after another has renewed the token.
      watched: (send) => async (input, init) => {
        const response = await send(input, init);
        sentFor.set(response, new Headers(init?.headers).get('authorization'));
        return response;
      },
      async onUnauthorized({ response }) {
        const login = registry.loginOf(server.name);
        if (login === undefined) registry.keepLogin(server.name, {});
        if (login?.session === undefined) throw loginNeeded(server.name);
        if (sentFor.get(response) === `Bearer ${login.session.tokens.access}`) await renew(server);
      },
      lacks: (scope) => void (scope !== undefined && lacking.set(server.name, scope)),
    };
  }

  async function begin(
    server: ServerDefinition,
    wanted: LoginWanted,
  ): Promise<{ url: string; until: number }> {
    const remote = requireRemote(server);
    const [{ beginLogin }, { challengeOf }] = await Promise.all([
      import('./begin.ts'),
      import('./challenge.ts'),
    ]);
    const before = registry.loginOf(server.name) ?? {};
    const challenge = await challengeOf(server);
    const { url, begun: one } = await beginLogin({
      ...{ server: remote, wanted, before, challenge },
      lacking: lacking.get(server.name),
      loginFetch: fetchOf(remote),
    });
    const until = nowMs() + BEGUN_MS_MAX;
    begun.set(server.name, { ...one, until });
    return { url: url.href, until };
  }

  async function finish(server: ServerDefinition, answer: LoginAnswer): Promise<void> {
    const remote = requireRemote(server);
    const one = begun.get(server.name);
    if (one === undefined || one.until < nowMs() || !sameSecret(one.state, answer.state))
      throw loginFailed(server.name, 'the response belongs to no login in progress');
    begun.delete(server.name);
    const { redeem } = await import('./tokens.ts');
    const { authority, client } = one;
    const tokens = await redeem(server.name, one, answer, { fetch: fetchOf(remote, one).fetch, nowMs });
    lacking.delete(server.name);
    registry.keepLogin(server.name, { client, session: { authority, tokens } });
  }

  /** Forgets the tokens whatever happens, and notifies the authorization server if possible. */
  async function forget(server: ServerDefinition): Promise<{ wasActive: boolean; isRevoked: boolean }> {
    const remote = requireRemote(server);
    await renewing.get(server.name)?.catch(() => undefined);
    const { client, session } = registry.loginOf(server.name) ?? {};
    begun.delete(server.name);
    registry.keepLogin(server.name, {});
    if (client === undefined || session === undefined) return { wasActive: false, isRevoked: false };
    const { revoke } = await import('./tokens.ts');
    const isRevoked = await revoke({ client, session }, fetchOf(remote, session).fetch).catch(() => false);
    return { wasActive: true, isRevoked };
  }

  async function isOffered(server: ServerDefinition): Promise<boolean> {
    const remote = remoteOf(server);
    if (remote === undefined) return false;
    const [{ discover }, { challengeOf }] = await Promise.all([
      import('./discover.ts'),
      import('./challenge.ts'),
    ]);
    return (await discover(remote, await challengeOf(server), fetchOf(remote))) !== undefined;
  }

  return {
    ...{ begin, finish, forget, isOffered },
    authorizationFor(server: ServerDefinition): Authorization | undefined {
      const remote = remoteOf(server);
      return remote && authorizationOf(remote);
    },
  };
}

/** A server that may require a login: one over HTTP without a token set by the owner. */
function remoteOf({ name, definition, secrets }: ServerDefinition): Remote | undefined {
  if (!('url' in definition)) return undefined;
  const hasOwn = Object.keys(secrets.headers).some((header) => header.toLowerCase() === 'authorization');
  return hasOwn ? undefined : { name, url: definition.url };
}

function requireRemote(server: ServerDefinition): Remote {
  const remote = remoteOf(server);
  if (remote !== undefined) return remote;
  const why = 'url' in server.definition ? 'uses a token that you gave it' : 'is a program on this machine';
  throw new Failure('invalid_value', `The MCP server "${server.name}" ${why}, so there is no login.`, {
    details: { fix: `askd mcp show ${server.name}` },
  });
}
