import { Failure } from '../../base/errors.ts';

/** The provider is down, slow or sent an invalid response. Never quotes what was sent to it, which may be secret. */
export function providerFailed(why: string): Failure {
  return new Failure('oidc_provider_failed', `Signing in failed: ${why}.`, {
    details: { fix: 'askd doctor, and the log: askd logs' },
  });
}

/** The response belongs to a different login or client, has expired, or names somebody who may not sign in. */
export function signInRefused(why: string): Failure {
  return new Failure('sign_in_refused', `You were not signed in: ${why}.`);
}
