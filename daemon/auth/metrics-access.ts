import type { Settings } from '../../src/config/config.ts';
import { ACCOUNT_ID } from './account.ts';
import { bearerToken, type Authenticator } from './authenticate.ts';
import { isFromBrowser, isFromThisMachine } from './local-program.ts';

type Parts = { authenticator: Authenticator; settings: Pick<Settings, 'metricsLocal'> };

/**
 * Metrics need a key with the scope "read". Once the owner allows it, programs on this machine need none. Any user of
 * the machine can then see what runs and what it costs, but no page in a browser can.
 */
export function createMetricsAuthenticator({ authenticator, settings }: Parts): Authenticator {
  return {
    admit(request, access) {
      const isKeyless = bearerToken(request) === undefined;
      if (settings.metricsLocal && isKeyless && isFromThisMachine(request) && !isFromBrowser(request))
        return { accountId: ACCOUNT_ID, keyId: null, scopes: [] };
      return authenticator.admit(request, access);
    },
  };
}
