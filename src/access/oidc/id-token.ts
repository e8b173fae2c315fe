import type { JSONWebKeySet, JWTPayload } from 'jose';
import type { Clock } from '../../base/clock.ts';
import type { ProviderMetadata } from './discovery.ts';
import { providerFailed, signInRefused } from './failures.ts';
import type { ProviderFetch } from './provider-fetch.ts';

/** With a public key: "none" and what is signed with a shared secret prove nothing here. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
/** How far the clocks of two machines may be apart. */
const CLOCK_TOLERANCE_SECONDS = 60;
const AGE_SECONDS_MAX = 600;

type Expected = { metadata: ProviderMetadata; clientId: string; nonce: string };
type Parts = { fetch: ProviderFetch; clock: Clock };

/**
 * The claims of an id token that the provider signed for this program and this login. Its keys are fetched each time:
 * logins are rare, and so a key that was replaced is never believed.
 */
export async function verifyIdToken(
  token: string,
  { metadata, clientId, nonce }: Expected,
  { fetch, clock }: Parts,
): Promise<JWTPayload & { sub: string }> {
  const { createLocalJWKSet, jwtVerify } = await import('jose');
  const { status, body } = await fetch(metadata.jwksUri);
  if (status !== 200 || !Array.isArray(body['keys']))
    throw providerFailed(`${metadata.issuer} does not show its keys`);
  const verify = async () =>
    jwtVerify(token, createLocalJWKSet(body as unknown as JSONWebKeySet), {
      issuer: metadata.issuer,
      audience: clientId,
      algorithms: ALGORITHMS,
      requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      maxTokenAge: AGE_SECONDS_MAX,
      currentDate: new Date(clock.now()),
    });
  const { payload: claims } = await verify().catch((error: unknown) => {
    throw signInRefused(`the id token of ${metadata.issuer} is not valid (${(error as Error).message})`);
  });
  if (claims['nonce'] !== nonce) throw signInRefused('the id token is that of another login');
  const isForOthers = Array.isArray(claims.aud) && claims.aud.length > 1;
  if ((isForOthers || claims['azp'] !== undefined) && claims['azp'] !== clientId)
    throw signInRefused('the id token was made for another program');
  const { sub } = claims;
  if (typeof sub !== 'string' || sub === '') throw signInRefused('the id token names nobody');
  return { ...claims, sub };
}
