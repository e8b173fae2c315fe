import {
  checkResourceAllowed,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  IssuerMismatchError,
  type AuthorizationServerMetadata,
} from '@modelcontextprotocol/client';
import { Failure } from '../../../base/errors.ts';
import type { Challenge } from './challenge.ts';
import { loginFailed } from './failures.ts';
import { revocationEndpoint, type Authority } from './login.ts';
import { isSafe, type LoginFetch } from './login-fetch.ts';

type Server = { name: string; url: string };
export type Discovered = { authority: Authority; scopes: readonly string[] };

/**
 * Where the owner can log in to this server; undefined if it names no place. A server may speak only for its own
 * origin, and an authorization server only for its own name.
 */
export async function discover(
  server: Server,
  challenge: Challenge,
  { fetch, isPrivate }: LoginFetch,
): Promise<Discovered | undefined> {
  const resource = await resourceMetadata(server, challenge, fetch);
  const named = resource?.authorization_servers?.[0];
  const issuer = named ?? new URL('/', server.url).href;
  const metadata = await authorityMetadata(server, issuer, fetch);
  if (metadata === undefined && named === undefined) return undefined;
  if (metadata === undefined) throw loginFailed(server.name, `${issuer} does not say how to log in`);
  refuseUnsafe(server, metadata);
  const authority = {
    ...{ issuer: metadata.issuer, metadata, isPrivate: isPrivate() },
    ...(resource && { resource: resource.resource }),
  };
  return { authority, scopes: resource?.scopes_supported ?? [] };
}

async function resourceMetadata(
  { name, url }: Server,
  { resourceMetadataUrl }: Challenge,
  fetch: LoginFetch['fetch'],
) {
  if (resourceMetadataUrl !== undefined && resourceMetadataUrl.origin !== new URL(url).origin)
    throw loginFailed(name, `its metadata is at another origin, ${resourceMetadataUrl.origin}`);
  const options = resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl };
  const found = await discoverOAuthProtectedResourceMetadata(url, options, fetch).catch((error: unknown) => {
    if (error instanceof Failure || resourceMetadataUrl !== undefined) throw asFailure(name, error);
    return undefined;
  });
  if (found === undefined) return undefined;
  const pair = { requestedResource: url, configuredResource: found.resource };
  if (URL.canParse(found.resource) && checkResourceAllowed(pair)) return found;
  throw loginFailed(name, `it describes another server, ${found.resource}`);
}

async function authorityMetadata({ name }: Server, issuer: string, fetch: LoginFetch['fetch']) {
  if (!URL.canParse(issuer)) throw loginFailed(name, `its authorization server "${issuer}" is not a URL`);
  try {
    return await discoverAuthorizationServerMetadata(issuer, { fetchFn: fetch });
  } catch (error) {
    throw asFailure(name, error);
  }
}

function refuseUnsafe({ name }: Server, metadata: AuthorizationServerMetadata): void {
  const { authorization_endpoint, token_endpoint, registration_endpoint } = metadata;
  for (const address of [
    authorization_endpoint,
    token_endpoint,
    registration_endpoint,
    revocationEndpoint(metadata),
  ]) {
    if (address === undefined || (URL.canParse(address) && isSafe(new URL(address)))) continue;
    throw loginFailed(name, `it names an address without TLS, ${address}`);
  }
}

/** No secret has been sent yet, so the server's text may be shown. */
function asFailure(name: string, error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof IssuerMismatchError)
    return loginFailed(name, `${String(error.expected)} says that it is ${JSON.stringify(error.received)}`);
  const { message, issues } = error as Error & { issues?: readonly { path: readonly PropertyKey[] }[] };
  if (issues === undefined) return loginFailed(name, message);
  return loginFailed(name, `its metadata is not valid (${issues[0]?.path.join('.')})`);
}
