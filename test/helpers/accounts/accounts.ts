import { onTestFinished } from 'vitest';
import { createKeys } from '../../../src/access/keys.ts';
import { createEvents } from '../../../src/events/events.ts';
import { openStore } from '../../../src/store/store.ts';
import { settableClock } from '../clock.ts';

/** Keys and events over a real database, in memory unless a path is given. */
export function openAccounts(path = ':memory:') {
  const clock = settableClock();
  const store = openStore(path);
  const events = createEvents({ store, clock });
  const keys = createKeys({ store, events, clock });
  onTestFinished(() => {
    keys.close();
    store.close();
  });
  return { clock, store, events, keys };
}
