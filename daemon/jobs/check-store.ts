import { toIso } from '../../src/base/clock.ts';
import { ACCOUNT_ID } from '../auth/account.ts';
import type { Services } from '../compose.ts';
import { checkInThread } from './store-check.ts';

type Parts = Pick<Services, 'store' | 'settings' | 'notices' | 'clock' | 'log'>;

/** After a crash, a large database is checked while requests are served, not before. */
export async function checkStore({ store, settings, ...parts }: Parts): Promise<() => Promise<void>> {
  const { log } = parts;
  const { database } = settings.paths;
  if (store.integrity === 'trusted') log.info({ database }, 'the database was closed cleanly: no full check');
  if (store.integrity !== 'pending') return async () => undefined;
  log.warn({ database }, 'the database was not closed cleanly: checking it while requests are served');
  let isCancelled = false;
  const { done, cancel } = checkInThread(database);
  const reported = done.then(
    ({ damage }) => {
      if (damage === undefined) log.info({ database }, 'the database is intact');
      else reportDamage(parts, { database, damage });
      store.wasChecked(damage);
    },
    (error: unknown) => {
      if (!isCancelled)
        log.error({ err: error }, 'the database could not be checked; the next start tries again');
    },
  );
  return async () => {
    isCancelled = true;
    await cancel();
    await reported;
  };
}

type Found = { database: string; damage: string };

function reportDamage(
  { notices, clock, log }: Omit<Parts, 'store' | 'settings'>,
  { database, damage }: Found,
) {
  const fix =
    'Stop the daemon (askd down) and restore it from a backup; it will not start again with this file.';
  const message = `The database ${database} is damaged (${damage}). ${fix}`;
  log.fatal({ database, damage }, message);
  try {
    notices.once(ACCOUNT_ID, { kind: 'store_damaged', period: toIso(clock.now()), message });
  } catch (error) {
    log.fatal({ err: error }, 'the damaged database rejects the notice');
  }
}
