import type { JSONWebKeySet, JWTPayload } from 'jose';
import type { Clock } from '../../base/clock.ts';
import type { ProviderMetadata } from './discovery.ts';
import { providerFailed, signInRefused } from './failures.ts';
import type { ProviderFetch } from './provider-fetch.ts';

/** Asymmetric algorithms only: "none" proves nothing, and a shared secret is known to us too. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
/** How far the clocks of the two servers may be apart. */
const CLOCK_TOLERANCE_SECONDS = 60;
const AGE_SECONDS_MAX = 600;

type Expected = { metadata: ProviderMetadata; clientId: string; nonce: string };
type Parts = { fetch: ProviderFetch; clock: Clock };

/**
 * The claims of an ID token that the provider signed for this client and this login. The signing keys are fetched
 * each time: logins are rare, and a withdrawn key must never be accepted.
 */
export async function verifyIdToken(
  token: string,
  { metadata, clientId, nonce }: Expected,
  { fetch, clock }: Parts,
): Promise<JWTPayload & { sub: string }> {
  const { createLocalJWKSet, jwtVerify } = await import('jose');
  const { status, body } = await fetch(metadata.jwksUri);
  if (status !== 200 || !Array.isArray(body['keys']))
    throw providerFailed(`${metadata.issuer} did not return its signing keys`);
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
    throw signInRefused(`the ID token from ${metadata.issuer} is not valid (${(error as Error).message})`);
  });
  if (claims['nonce'] !== nonce) throw signInRefused('the ID token belongs to a different login');
  const isForOthers = Array.isArray(claims.aud) && claims.aud.length > 1;
  if ((isForOthers || claims['azp'] !== undefined) && claims['azp'] !== clientId)
    throw signInRefused('the ID token was issued to a different client');
  const { sub } = claims;
  if (typeof sub !== 'string' || sub === '') throw signInRefused('the ID token has no subject');
  return { ...claims, sub };
}
