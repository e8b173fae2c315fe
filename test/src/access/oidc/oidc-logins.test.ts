import { generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { describe, expect, test } from 'vitest';
import { createOidcLogins } from '../../../../src/access/oidc/oidc-logins.ts';
import { settableClock } from '../../../helpers/clock.ts';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  openScriptedProvider,
  page,
  type ScriptedProvider,
} from '../../../helpers/servers/oidc/scripted-provider.ts';

const DISCOVERY = '/.well-known/openid-configuration';
const BACK = 'http://127.0.0.1:11535/login';

async function openLogins(options: { clientSecret?: string; answerMsMax?: number } = {}) {
  const clock = settableClock();
  const provider = await openScriptedProvider({ now: () => clock.now() });
  const about = { issuer: provider.issuer, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET };
  const logins = createOidcLogins({ ...about, clock, ...options });
  const depart = async (account?: string) => {
    const { url, browser } = await logins.begin({ redirectUri: BACK, account });
    return { url, answer: { ...provider.consent(url), browser } };
  };
  const signIn = async (changed: object = {}) => {
    const { answer } = await depart();
    return logins.finish(logins.take({ ...answer, ...changed }));
  };
  return { clock, provider, logins, depart, signIn };
}

test('the provider vouches for an address, and the requested account is kept', async () => {
  const { logins, depart } = await openLogins();
  const { url, answer } = await depart('acme');
  const query = Object.fromEntries(new URL(url).searchParams);
  expect(query).toMatchObject({ client_id: CLIENT_ID, redirect_uri: BACK, code_challenge_method: 'S256' });
  expect(await logins.finish(logins.take(answer))).toEqual({
    email: 'Bo@Example.com',
    subject: 'subject-1',
    account: 'acme',
  });
});

test('the secret is sent in the way the provider accepts, with the verifier of this login', async () => {
  const { provider, signIn } = await openLogins();
  await signIn();
  const metadata = { ...provider.metadata(), token_endpoint_auth_methods_supported: ['client_secret_post'] };
  provider.replace(DISCOVERY, page(200, metadata));
  await signIn();
  const sent = provider.forms.map((form) => form.get('client_secret'));
  expect(sent).toEqual([null, CLIENT_SECRET]);
  expect(new Set(provider.forms.map((form) => form.get('code_verifier'))).size).toBe(2);
});

test('a new key of the provider is used from the next login on', async () => {
  const { provider, signIn } = await openLogins();
  await signIn();
  await provider.rotateKey();
  expect((await signIn()).email).toBe('Bo@Example.com');
});

const without = (claims: JWTPayload, name: string) =>
  Object.fromEntries(Object.entries(claims).filter(([each]) => each !== name));
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const inHmac = (claims: JWTPayload) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(CLIENT_SECRET));
const ofAnotherKey = async (claims: JWTPayload) => {
  const { privateKey } = await generateKeyPair('ES256');
  return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'first' }).sign(privateKey);
};

describe('an ID token signs nobody in that', () => {
  type Forge = Parameters<ScriptedProvider['issue']>[0];
  const changed =
    (change: (claims: JWTPayload) => object): Forge =>
    (claims, sign) =>
      sign({ ...claims, ...change(claims) });
  const forged: Record<string, [reason: RegExp, forge: Forge]> = {
    'is signed by another key': [/signature verification failed/, ofAnotherKey],
    'is not signed': [/"alg"/, (claims) => `${encoded({ alg: 'none' })}.${encoded(claims)}.`],
    'is signed with the shared secret': [/"alg"/, inHmac],
    'has expired': [/"exp"/, changed(({ iat = 0 }) => ({ iat: iat - 400, exp: iat - 100 }))],
    'was issued long ago': [/"iat"/, changed(({ iat = 0 }) => ({ iat: iat - 3_600 }))],
    'is for another client': [/"aud"/, changed(() => ({ aud: 'another' }))],
    'is for several clients': [/different client/, changed(() => ({ aud: [CLIENT_ID, 'another'] }))],
    'another client asked for': [/different client/, changed(() => ({ azp: 'another' }))],
    'is of another login': [/different login/, changed(() => ({ nonce: 'another' }))],
    'has no subject': [/no subject/, changed(() => ({ sub: '' }))],
    'has no nonce': [/"nonce"/, (claims, sign) => sign(without(claims, 'nonce'))],
    'has no end': [/"exp"/, (claims, sign) => sign(without(claims, 'exp'))],
    'is of another issuer': [/"iss"/, changed(() => ({ iss: 'https://other.example' }))],
    'is no token': [/Invalid Compact JWS/, () => 'not.a.token.at.all'],
    'has an address that is not verified': [/not verified/, changed(() => ({ email_verified: false }))],
    'does not say whether it is': [/not verified/, (claims, sign) => sign(without(claims, 'email_verified'))],
  };
  test.each(Object.entries(forged))('%s', async (_name, [reason, forge]) => {
    const { provider, signIn } = await openLogins();
    provider.issue(forge);
    await expect(signIn()).rejects.toMatchObject({
      code: 'sign_in_refused',
      message: expect.stringMatching(reason) as string,
    });
  });
});

describe('an answer signs nobody in', () => {
  test('that comes a second time', async () => {
    const { logins, depart } = await openLogins();
    const { answer } = await depart();
    await logins.finish(logins.take(answer));
    expect(() => logins.take(answer)).toThrow('already used');
  });

  test('in another browser, and the login of the first continues', async () => {
    const { logins, depart } = await openLogins();
    const { answer } = await depart();
    const other = await depart();
    for (const browser of [undefined, '', other.answer.browser])
      expect(() => logins.take({ ...answer, browser })).toThrow('not started in this browser');
    expect(logins.take(answer).code).toBe(answer.code);
  });

  test.each<[name: string, reason: string, changed: object]>([
    ['with another state', 'not started in this browser', { state: 'another' }],
    ['from another issuer', 'different issuer', { iss: 'https://other.example' }],
    ['without a code', 'no authorization code', { code: undefined }],
    ['that is a refusal', 'refused the login (access_denied)', { error: 'access_denied' }],
  ])('%s', async (_name, reason, changed) => {
    const { signIn } = await openLogins();
    await expect(signIn(changed)).rejects.toMatchObject({
      code: 'sign_in_refused',
      message: expect.stringContaining(reason) as string,
    });
  });

  test('that leaves out the issuer, if the provider always names it', async () => {
    const { provider, signIn } = await openLogins();
    const metadata = { ...provider.metadata(), authorization_response_iss_parameter_supported: true };
    provider.replace(DISCOVERY, page(200, metadata));
    await expect(signIn()).rejects.toThrow('different issuer');
    expect((await signIn({ iss: provider.issuer })).email).toBe('Bo@Example.com');
  });

  test('after ten minutes', async () => {
    const { clock, logins, depart } = await openLogins();
    const { answer } = await depart();
    clock.advance(10 * 60_000);
    expect(() => logins.take(answer)).toThrow('the login took too long');
  });
});

describe('an address that is not in the ID token', () => {
  const lacking: Parameters<ScriptedProvider['issue']>[0] = (claims, sign) => sign(without(claims, 'email'));
  const mine = { sub: 'subject-1', email: 'bo@example.com', email_verified: true };

  test('is requested', async () => {
    const { provider, signIn } = await openLogins();
    provider.issue(lacking);
    provider.replace('/userinfo', page(200, mine));
    expect((await signIn()).email).toBe('bo@example.com');
  });

  test.each([
    ['of somebody else', { ...mine, sub: 'subject-2' }, 'is about a different person'],
    ['that is not verified', { ...mine, email_verified: false }, 'not verified'],
    ['that is missing there too', { sub: 'subject-1' }, 'did not provide'],
  ])('and signs nobody in if it is one %s', async (_name, body, reason) => {
    const { provider, signIn } = await openLogins();
    provider.issue(lacking);
    provider.replace('/userinfo', page(200, body));
    await expect(signIn()).rejects.toThrow(reason);
  });
});

describe('a provider', () => {
  const failing: Record<string, [reason: string, path: string, by: ReturnType<typeof page>]> = {
    'without an OpenID configuration': ['answered 404', DISCOVERY, page(404)],
    'that redirects': ['answered 302', DISCOVERY, page(302, {}, { location: 'http://x.example/' })],
    'that returns no ID token': ['returned no ID token (500', '/token', page(500)],
    'that returns no keys': ['did not return its signing keys', '/jwks', page(200, { keys: 'none' })],
    'whose response has no end': [
      'sent an invalid response',
      DISCOVERY,
      (response) => void response.end(`{"issuer":"${'x'.repeat(600_000)}"}`),
    ],
    'whose response is not JSON': [
      'sent an invalid response',
      '/jwks',
      (response) => void response.end('<html>'),
    ],
  };
  test.each(Object.entries(failing))('%s is named as the cause', async (_name, [reason, path, by]) => {
    const { provider, signIn } = await openLogins();
    provider.replace(path, by);
    await expect(signIn()).rejects.toMatchObject({
      code: 'oidc_provider_failed',
      message: expect.stringContaining(reason) as string,
    });
  });

  test('that names another issuer or a URL without TLS is refused', async () => {
    const { provider, signIn } = await openLogins();
    const metadata = provider.metadata();
    provider.replace(DISCOVERY, page(200, { ...metadata, issuer: 'https://other.example' }));
    await expect(signIn()).rejects.toThrow('names a different issuer');
    provider.replace(DISCOVERY, page(200, { ...metadata, token_endpoint: 'http://other.example/token' }));
    await expect(signIn()).rejects.toThrow(
      /^Signing in failed: the token_endpoint of \S+ is not an https URL\.$/,
    );
  });

  test('that is down is reported as unreachable', async () => {
    const { provider, signIn } = await openLogins();
    provider.close();
    await expect(signIn()).rejects.toThrow('could not be reached (ECONNREFUSED)');
  });

  test.each<[string, ReturnType<typeof page>]>([
    ['never answers', () => undefined],
    ['never ends its answer', (response) => void response.write('{"issuer":')],
  ])('that %s is waited for only so long', async (_name, by) => {
    const { provider, signIn } = await openLogins({ answerMsMax: 100 });
    provider.replace(DISCOVERY, by);
    await expect(signIn()).rejects.toThrow('did not respond within 0.1 s');
  });
});
