import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { sameSecret } from '../../base/secrets.ts';
import { discoverProvider, type ProviderMetadata } from './discovery.ts';
import { providerFailed, signInRefused } from './failures.ts';
import { verifyIdToken } from './id-token.ts';
import { createProviderFetch } from './provider-fetch.ts';

/** How long a user may take to sign in at the provider. */
const LIFETIME_MS = 10 * 60_000;
const LIVE_MAX = 1_000;

export type OidcLogins = ReturnType<typeof createOidcLogins>;

/** A login whose browser is at the provider. */
type BegunLogin = {
  metadata: ProviderMetadata;
  /** Hash of a secret in a cookie that only the browser that started the login has. */
  browserDigest: string;
  redirectUri: string;
  verifier: string;
  nonce: string;
  account: string | undefined;
  expiresAt: number;
};

export type OidcAnswer = {
  state: string;
  browser: string | undefined;
  code?: string | undefined;
  /** The issuer, if the provider sends it. */
  iss?: string | undefined;
  error?: string | undefined;
};

type Options = {
  issuer: string;
  clientId: string;
  /** Empty for a public client. */
  clientSecret: string;
  clock: Clock;
  answerMsMax?: number;
};

/** Signing in through an OpenID provider: the authorization code flow with PKCE, and a one-time state and nonce. */
export function createOidcLogins({ issuer, clientId, clientSecret, clock, answerMsMax }: Options) {
  const fetch = createProviderFetch(answerMsMax);
  const begun = new Map<string, BegunLogin>();

  /** Returns the URL to open in the browser, and the secret to set as its cookie. */
  async function begin({ redirectUri, account }: { redirectUri: string; account?: string | undefined }) {
    const metadata = await discoverProvider(issuer, fetch);
    const [state, nonce, verifier, browser] = [randomText(), randomText(), randomText(), randomText()];
    forgetOld();
    const expiresAt = clock.now() + LIFETIME_MS;
    const about = { metadata, redirectUri, verifier, nonce, account, expiresAt };
    begun.set(digestOf(state), { ...about, browserDigest: digestOf(browser) });
    const url = new URL(metadata.authorizationEndpoint);
    const query = {
      response_type: 'code',
      scope: 'openid email',
      client_id: clientId,
      redirect_uri: redirectUri,
      state,
      nonce,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    };
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return { url: url.href, browser, lifetimeMs: LIFETIME_MS };
  }

  function forgetOld(): void {
    const now = clock.now();
    for (const [digest, { expiresAt }] of begun) if (expiresAt <= now) begun.delete(digest);
    const [oldest] = begun.keys();
    if (oldest !== undefined && begun.size >= LIVE_MAX) begun.delete(oldest);
  }

  /** Returns the login that this response belongs to. A login can be completed only once, even if that fails. */
  function take({ state, browser = '', iss, code, error }: OidcAnswer) {
    const digest = digestOf(state);
    const login = begun.get(digest);
    if (login === undefined || !sameSecret(digestOf(browser), login.browserDigest))
      throw signInRefused('this login was not started in this browser, or was already used');
    begun.delete(digest);
    if (login.expiresAt <= clock.now()) throw signInRefused('the login took too long');
    const { issuer: expected, namesIssuer } = login.metadata;
    if ((iss !== undefined || namesIssuer) && iss !== expected)
      throw signInRefused('the response came from a different issuer');
    if (error !== undefined) throw signInRefused(`${expected} refused the login (${shown(error)})`);
    if (code === undefined) throw signInRefused(`${expected} returned no authorization code`);
    return { ...login, code };
  }

  /** Returns the verified email address, the provider's subject for it, and the account that was requested. */
  async function finish({ code, ...login }: ReturnType<typeof take>) {
    const { metadata, nonce, account } = login;
    const { idToken, accessToken } = await exchange(code, login);
    const claims = await verifyIdToken(idToken, { metadata, clientId, nonce }, { fetch, clock });
    const { email, email_verified: isVerified } =
      claims['email'] === undefined ? await userinfo(metadata, accessToken, claims.sub) : claims;
    if (typeof email !== 'string')
      throw signInRefused(`${metadata.issuer} did not provide your email address`);
    // Some providers send a string.
    if (isVerified !== true && isVerified !== 'true')
      throw signInRefused(`${metadata.issuer} has not verified that ${shown(email)} is yours`);
    return { email, subject: claims.sub, account };
  }

  async function exchange(code: string, { metadata, redirectUri, verifier }: BegunLogin) {
    const isBasic = clientSecret !== '' && metadata.takesBasic;
    const form = new URLSearchParams({
      ...{ grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier },
      ...(!isBasic && { client_id: clientId }),
      ...(!isBasic && clientSecret !== '' && { client_secret: clientSecret }),
    });
    const credentials = [clientId, clientSecret].map((each) => formEncoded(each)).join(':');
    const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
      ...(isBasic && { authorization }),
    };
    const { status, body } = await fetch(metadata.tokenEndpoint, {
      ...{ method: 'POST', headers, body: form.toString() },
    });
    const { error, id_token: idToken, access_token: accessToken } = body;
    if (error === 'invalid_grant') throw signInRefused(`${metadata.issuer} rejected the authorization code`);
    if (status !== 200 || typeof idToken !== 'string')
      throw providerFailed(`${metadata.issuer} returned no ID token (${status}, ${shown(error)})`);
    return { idToken, accessToken };
  }

  /** A provider may omit the email address from the ID token. */
  async function userinfo(metadata: ProviderMetadata, accessToken: unknown, subject: string | undefined) {
    if (metadata.userinfoEndpoint === undefined || typeof accessToken !== 'string') return {};
    const headers = { authorization: `Bearer ${accessToken}` };
    const { status, body } = await fetch(metadata.userinfoEndpoint, { headers });
    if (status !== 200) throw providerFailed(`${metadata.issuer} answered ${status} when asked who you are`);
    if (body['sub'] !== subject)
      throw signInRefused(`the user info from ${metadata.issuer} is about a different person`);
    return body;
  }

  return {
    issuer,
    begin,
    take,
    finish,
    /** For `askd doctor`: whether the provider can be used. */
    discover: () => discoverProvider(issuer, fetch),
  };
}

const randomText = () => randomBytes(32).toString('base64url');

function digestOf(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

function formEncoded(text: string): string {
  return new URLSearchParams({ text }).toString().slice('text='.length);
}

/** Makes text from outside safe to show in a message. */
function shown(text: unknown): string {
  return typeof text === 'string' ? text.replace(/[^\x20-\x7e]/g, '?').slice(0, 100) : 'no reason given';
}
