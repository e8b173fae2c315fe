import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { onTestFinished } from 'vitest';

export const CLIENT_ID = 'askd';
export const CLIENT_SECRET = 'secret-of-askd-for-its-provider';

type Page = (response: ServerResponse) => void;
type Forge = (claims: JWTPayload, sign: (claims: JWTPayload) => Promise<string>) => Promise<string> | string;

export const page =
  (status: number, body: unknown = {}, headers: Record<string, string> = {}): Page =>
  (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body));

const newKey = async (kid: string) => ({ kid, ...(await generateKeyPair('ES256', { extractable: true })) });

/** An OpenID provider that is honest except for the pages and tokens that a test replaces. */
export async function openScriptedProvider({ now = () => Date.now() }: { now?: () => number } = {}) {
  const pages: Record<string, Page> = {};
  const forms: URLSearchParams[] = [];
  let key = await newKey('first');
  let forge: Forge = (claims, sign) => sign(claims);
  /** By the code that was issued for the login. */
  const nonces = new Map<string, string>();

  const sign = (claims: JWTPayload) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: key.kid }).sign(key.privateKey);

  const honest: Record<string, Page> = {
    '/.well-known/openid-configuration': (response) => page(200, metadata())(response),
    '/jwks': (response) =>
      void exportJWK(key.publicKey).then((jwk) => {
        page(200, { keys: [{ ...jwk, kid: key.kid, alg: 'ES256', use: 'sig' }] })(response);
      }),
    '/token': (response) =>
      void Promise.resolve(forge(claims(), sign)).then((token) => {
        page(200, { token_type: 'Bearer', access_token: 'access', id_token: token })(response);
      }),
  };
  const { issuer, close } = await listen((path, form, response) => {
    if (form) forms.push(form);
    (pages[path] ?? honest[path] ?? page(404))(response);
  });

  const metadata = () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    userinfo_endpoint: `${issuer}/userinfo`,
  });
  const claims = (): JWTPayload => {
    const seconds = Math.floor(now() / 1000);
    const nonce = nonces.get(forms.at(-1)?.get('code') ?? '');
    return {
      ...{ iss: issuer, aud: CLIENT_ID, sub: 'subject-1', nonce, iat: seconds, exp: seconds + 300 },
      ...{ email: 'Bo@Example.com', email_verified: true },
    };
  };

  return {
    issuer,
    metadata,
    forms,
    env: {
      ASKD_OIDC_ISSUER: issuer,
      ASKD_OIDC_CLIENT_ID: CLIENT_ID,
      ASKD_OIDC_CLIENT_SECRET: CLIENT_SECRET,
    },
    /** The user signs in where the browser was sent; returns what comes back to the daemon. */
    consent(url: string) {
      const query = new URL(url).searchParams;
      const code = `code-${nonces.size + 1}`;
      nonces.set(code, query.get('nonce') ?? '');
      return { state: query.get('state') ?? '', code };
    },
    replace: (path: string, by: Page) => void (pages[path] = by),
    /** The content of the next ID tokens. */
    issue: (by: Forge) => void (forge = by),
    rotateKey: async () => void (key = await newKey('second')),
    close,
  };
}

type Answer = (path: string, form: URLSearchParams | undefined, response: ServerResponse) => void;

async function listen(answer: Answer) {
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (part: Buffer) => (text += part.toString()));
    request.on('end', () => {
      const { pathname } = new URL(request.url ?? '/', 'http://x');
      answer(pathname, request.method === 'POST' ? new URLSearchParams(text) : undefined, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(close);
  return { issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

export type ScriptedProvider = Awaited<ReturnType<typeof openScriptedProvider>>;
