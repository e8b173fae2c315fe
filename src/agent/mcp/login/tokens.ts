import {
  exchangeAuthorization,
  IssuerMismatchError,
  OAuthError,
  OAuthErrorCode,
  refreshAuthorization,
  selectClientAuthMethod,
  validateAuthorizationResponseIssuer,
  type OAuthTokens,
} from '@modelcontextprotocol/client';
import { Failure } from '../../../base/errors.ts';
import type { BegunLogin } from './begin.ts';
import { loginFailed, loginNeeded } from './failures.ts';
import { revocationEndpoint, type Login, type LoginClient, type Tokens } from './login.ts';
import type { LoginFetch } from './login-fetch.ts';

/** What the browser returned. */
export type LoginAnswer = { state: string; code?: string; iss?: string; error?: string };

type Session = NonNullable<Login['session']>;

/** Not a refusal: the same request may work later. */
const TEMPORARY: readonly string[] = [
  OAuthErrorCode.ServerError,
  OAuthErrorCode.TemporarilyUnavailable,
  OAuthErrorCode.TooManyRequests,
];

/** Exchanges the code for tokens, after checking that the response is from the server that was asked. */
export async function redeem(
  name: string,
  { authority, client, verifier, redirectUri, scope }: BegunLogin,
  { code, iss, error }: LoginAnswer,
  { fetch, nowMs }: { fetch: LoginFetch['fetch']; nowMs: () => number },
): Promise<Tokens> {
  const { issuer, metadata, resource } = authority;
  try {
    validateAuthorizationResponseIssuer({
      iss,
      expectedIssuer: issuer,
      issParameterSupported: metadata['authorization_response_iss_parameter_supported'] === true,
    });
    if (code === undefined) throw loginFailed(name, `it was refused (${codeText(error)})`);
    const given = await exchangeAuthorization(issuer, {
      metadata,
      clientInformation: client,
      authorizationCode: code,
      ...(iss !== undefined && { iss }),
      codeVerifier: verifier,
      redirectUri,
      ...(resource !== undefined && { resource }),
      fetchFn: fetch,
    });
    return toTokens(name, given, scope, nowMs());
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown;
    if (thrown instanceof IssuerMismatchError)
      throw loginFailed(name, `a server other than ${issuer} answered`);
    throw loginFailed(name, `${issuer} issued no tokens (${reasonOf(thrown)})`);
  }
}

/** A refusal becomes `mcp_login_needed`; anything else may be temporary. */
export async function refresh(
  name: string,
  { client, session: { authority, tokens } }: { client: LoginClient; session: Session },
  { fetch, nowMs }: { fetch: LoginFetch['fetch']; nowMs: () => number },
): Promise<Tokens> {
  const { issuer, metadata, resource } = authority;
  if (tokens.refresh === undefined) throw loginNeeded(name, 'requires a new login');
  try {
    const given = await refreshAuthorization(issuer, {
      metadata,
      clientInformation: client,
      refreshToken: tokens.refresh,
      ...(resource !== undefined && { resource }),
      fetchFn: fetch,
    });
    return toTokens(name, given, tokens.scope, nowMs());
  } catch (thrown) {
    if (thrown instanceof Failure) throw thrown;
    if (thrown instanceof OAuthError && !TEMPORARY.includes(thrown.code))
      throw loginNeeded(name, `requires a new login: ${issuer} refused to renew it (${reasonOf(thrown)})`);
    throw loginFailed(name, `${issuer} did not renew it (${reasonOf(thrown)})`);
  }
}

/** Tells the authorization server that the tokens are no longer used. Resolves to whether it was notified. */
export async function revoke(
  { client, session: { authority, tokens } }: { client: LoginClient; session: Session },
  fetch: LoginFetch['fetch'],
): Promise<boolean> {
  const { metadata } = authority;
  const endpoint = revocationEndpoint(metadata);
  if (endpoint === undefined) return false;
  const { client_id: id, client_secret: secret = '' } = client;
  const method = selectClientAuthMethod(client, metadata.token_endpoint_auth_methods_supported ?? []);
  const answers = [];
  for (const token of [tokens.refresh, tokens.access]) {
    if (token === undefined) continue;
    const form = new URLSearchParams({ token });
    if (method !== 'client_secret_basic') form.set('client_id', id);
    if (method === 'client_secret_post') form.set('client_secret', secret);
    const basic = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      ...(method === 'client_secret_basic' && { authorization: basic }),
    };
    answers.push(await fetch(endpoint, { method: 'POST', headers, body: form }));
  }
  return answers.every(({ ok }) => ok);
}

function toTokens(name: string, given: OAuthTokens, asked: string | undefined, nowMs: number): Tokens {
  if (!/^bearer$/i.test(given.token_type))
    throw loginFailed(name, 'its tokens have a type that askd does not support');
  const { access_token: access, refresh_token, expires_in, scope = asked } = given;
  return {
    access,
    ...(refresh_token !== undefined && { refresh: refresh_token }),
    ...(expires_in !== undefined && { expiresAt: nowMs + expires_in * 1000 }),
    ...(scope !== undefined && { scope }),
  };
}

/** Only the error code: the text may repeat what was sent. */
function reasonOf(thrown: unknown): string {
  return thrown instanceof OAuthError ? codeText(thrown.code) : 'its response is not valid';
}

function codeText(code: string | undefined): string {
  return code !== undefined && /^[a-z_]{1,40}$/.test(code) ? code : 'no reason given';
}
