import { Failure } from '../../base/errors.ts';

/** The provider is down, slow or says what it must not. Never with what was sent to it, which is secret. */
export function providerFailed(why: string): Failure {
  return new Failure('oidc_provider_failed', `Signing in failed: ${why}.`, {
    details: { fix: 'askd doctor, and the log: askd logs' },
  });
}

/** Its answer is for another login, another program or another time, or nobody may sign in with it. */
export function signInRefused(why: string): Failure {
  return new Failure('sign_in_refused', `You were not signed in: ${why}.`);
}
