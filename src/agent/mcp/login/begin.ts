import { randomBytes } from 'node:crypto';
import {
  computeScopeUnion,
  registerClient,
  RegistrationRejectedError,
  startAuthorization,
} from '@modelcontextprotocol/client';
import { Failure } from '../../../base/errors.ts';
import type { Challenge } from './challenge.ts';
import { discover, type Discovered } from './discover.ts';
import { loginFailed } from './failures.ts';
import type { Authority, Login, LoginClient } from './login.ts';
import type { LoginFetch } from './login-fetch.ts';

export type LoginWanted = {
  /** Where the browser delivers the code: an address on this machine. */
  redirectUri: string;
  clientId?: string;
  clientSecret?: string;
  scope?: string;
};

/** A login whose browser has not returned yet. */
export type BegunLogin = {
  state: string;
  verifier: string;
  redirectUri: string;
  scope: string | undefined;
  authority: Authority;
  client: LoginClient;
};

type Beginning = {
  server: { name: string; url: string };
  wanted: LoginWanted;
  /** What was kept from an earlier login. */
  before: Login;
  challenge: Challenge;
  /** What the server last asked for that a login did not cover. */
  lacking: string | undefined;
  loginFetch: LoginFetch;
};

/** Finds the authorization server and builds the URL that the owner opens in a browser. */
export async function beginLogin(beginning: Beginning): Promise<{ url: URL; begun: BegunLogin }> {
  const { server, wanted, challenge, loginFetch } = beginning;
  const discovered = await discover(server, challenge, loginFetch);
  if (discovered === undefined)
    throw new Failure(
      'invalid_value',
      `The MCP server "${server.name}" offers no login. It may require a token.`,
      {
        details: {
          fix: `askd mcp rm ${server.name}, then askd mcp add ${server.name} --url URL --token-stdin`,
        },
      },
    );
  const { authority } = discovered;
  const scope = scopeOf(beginning, discovered);
  const client = await clientOf(beginning, authority, scope);
  const state = randomBytes(32).toString('base64url');
  const { authorizationUrl, codeVerifier } = await startAuthorization(authority.issuer, {
    metadata: authority.metadata,
    clientInformation: client,
    redirectUrl: wanted.redirectUri,
    state,
    ...(scope !== undefined && { scope }),
    ...(authority.resource !== undefined && { resource: authority.resource }),
  }).catch((error: unknown) => {
    throw loginFailed(server.name, (error as Error).message);
  });
  const begun = { state, verifier: codeVerifier, redirectUri: wanted.redirectUri, scope, authority, client };
  return { url: authorizationUrl, begun };
}

/** The scopes that the owner wants or that the server asks for, and offline access if it must be requested. */
function scopeOf(
  { wanted, before, challenge, lacking }: Beginning,
  { authority: { metadata }, scopes }: Discovered,
): string | undefined {
  const needed = challenge.scope ?? (scopes.length > 0 ? scopes.join(' ') : undefined);
  const scope = wanted.scope ?? computeScopeUnion(before.session?.tokens.scope, needed, lacking);
  if (!scope || !metadata.scopes_supported?.includes('offline_access')) return scope || undefined;
  return computeScopeUnion(scope, 'offline_access');
}

async function clientOf(
  { server: { name }, wanted, before, loginFetch }: Beginning,
  { issuer, metadata }: Authority,
  scope: string | undefined,
): Promise<LoginClient> {
  if (wanted.clientId !== undefined) {
    const secret = wanted.clientSecret === undefined ? {} : { client_secret: wanted.clientSecret };
    return { issuer, client_id: wanted.clientId, ...secret, isGiven: true };
  }
  const known = before.client;
  if (known?.isGiven && known.issuer === issuer) return known;
  if (known?.isGiven)
    throw clientWanted(name, `the login is now at ${issuer}, but the client id was for ${known.issuer}`);
  if (metadata.registration_endpoint === undefined)
    throw clientWanted(
      name,
      `${issuer} does not support dynamic client registration, so askd needs a client id from it`,
    );
  const clientMetadata = {
    client_name: 'askd',
    redirect_uris: [wanted.redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    application_type: 'native' as const,
    token_endpoint_auth_method: authMethod(metadata.token_endpoint_auth_methods_supported),
  };
  const registered = await registerClient(issuer, {
    metadata,
    clientMetadata,
    ...(scope !== undefined && { scope }),
    fetchFn: loginFetch.fetch,
  }).catch((error: unknown) => {
    if (error instanceof Failure) throw error;
    const isRefused = error instanceof RegistrationRejectedError;
    throw clientWanted(
      name,
      `${issuer} ${isRefused ? `refused askd (${error.status})` : 'did not register askd'}`,
    );
  });
  const { client_id, client_secret, token_endpoint_auth_method } = registered;
  return {
    ...{ issuer, client_id, isGiven: false },
    ...(client_secret !== undefined && { client_secret }),
    ...(token_endpoint_auth_method !== undefined && { token_endpoint_auth_method }),
  };
}

/** A program that anyone can read keeps no secret, so none is requested if the server allows that. */
function authMethod(supported: readonly string[] = ['none']): string {
  if (supported.includes('none')) return 'none';
  return supported.includes('client_secret_basic') ? 'client_secret_basic' : 'client_secret_post';
}

function clientWanted(name: string, why: string): Failure {
  return new Failure('mcp_server_failed', `The login of the MCP server "${name}" failed: ${why}.`, {
    details: { fix: `askd mcp login ${name} --client-id ID` },
  });
}
