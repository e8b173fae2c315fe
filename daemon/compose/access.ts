import { createAccounts } from '../../src/access/accounts.ts';
import { createAttempts } from '../../src/access/attempts.ts';
import { createKeys } from '../../src/access/keys.ts';
import { createLoginCodes } from '../../src/access/login-codes.ts';
import { createMembers } from '../../src/access/members.ts';
import { createSessions } from '../../src/access/sessions.ts';
import { createSimulations } from '../../src/access/simulation/simulations.ts';
import type { Clock } from '../../src/base/clock.ts';
import type { Settings } from '../../src/config/config.ts';
import type { Events } from '../../src/events/events.ts';
import type { Tiers } from '../../src/limits/tiers.ts';
import type { Store } from '../../src/store/store.ts';
import type { Wallet } from '../../src/wallet/wallet.ts';
import { applyProfile } from '../profile.ts';
import { composeOidc } from './oidc.ts';

type Parts = { settings: Settings; store: Store; events: Events; clock: Clock; tiers: Tiers; wallet: Wallet };

/** Credentials and their checks. */
export function composeAccess({ settings, store, events, clock, tiers, wallet }: Parts) {
  // New accounts start with the lowest limits; the owner of the machine can raise them.
  const equip = (accountId: string) => applyProfile({ store, tiers, wallet }, accountId, 'hosted');
  const sessions = createSessions({ store, clock });
  return {
    members: createMembers({ store, events, clock, sessions }),
    accounts: createAccounts({ store, clock, equip }),
    keys: createKeys({ store, events, clock }),
    sessions,
    simulations: createSimulations({ store, clock }),
    loginCodes: createLoginCodes({ clock }),
    oidcLogins: composeOidc({ settings, clock }),
    attempts: createAttempts({ clock }),
  };
}
