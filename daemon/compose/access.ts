import { createAttempts } from '../../src/access/attempts.ts';
import { createKeys } from '../../src/access/keys.ts';
import { createLoginCodes } from '../../src/access/login-codes.ts';
import { createSessions } from '../../src/access/sessions.ts';
import { createSimulations } from '../../src/access/simulation/simulations.ts';
import type { Clock } from '../../src/base/clock.ts';
import type { Events } from '../../src/events/events.ts';
import type { Store } from '../../src/store/store.ts';

/** Credentials and their checks. */
export function composeAccess({ store, events, clock }: { store: Store; events: Events; clock: Clock }) {
  return {
    keys: createKeys({ store, events, clock }),
    sessions: createSessions({ store, clock }),
    simulations: createSimulations({ store, clock }),
    loginCodes: createLoginCodes({ clock }),
    attempts: createAttempts({ clock }),
  };
}
