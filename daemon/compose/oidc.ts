import { createOidcLogins, type OidcLogins } from '../../src/access/oidc/oidc-logins.ts';
import { isSafeAddress } from '../../src/access/oidc/provider-fetch.ts';
import type { Clock } from '../../src/base/clock.ts';
import { Failure } from '../../src/base/errors.ts';
import type { Settings } from '../../src/config/config.ts';

/** Undefined if members sign in with links only. */
export function composeOidc({
  settings,
  clock,
}: {
  settings: Settings;
  clock: Clock;
}): OidcLogins | undefined {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret } = settings;
  if (issuer === '') return undefined;
  if (!isSafeAddress(issuer))
    throw new Failure('config_invalid', `oidc_issuer must start with https://, but is ${issuer}.`, {
      details: { fix: 'askd config set oidc_issuer URL' },
    });
  if (clientId === '')
    throw new Failure('config_invalid', 'oidc_issuer also needs oidc_client_id.', {
      details: { fix: 'askd config set oidc_client_id ID' },
    });
  return createOidcLogins({ issuer, clientId, clientSecret, clock });
}
