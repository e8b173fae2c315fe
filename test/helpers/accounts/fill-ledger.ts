import { join } from 'node:path';
import { systemClock } from '../../../src/base/clock.ts';
import { toNano } from '../../../src/base/money.ts';
import { createEvents } from '../../../src/events/events.ts';
import { createNotices } from '../../../src/events/notices.ts';
import { openStore } from '../../../src/store/store.ts';
import { createWallet } from '../../../src/wallet/wallet.ts';

/** Adds a refund for each description to the account of a home whose daemon is not running. */
export function fillLedger(home: string, descriptions: readonly string[]): void {
  const store = openStore(join(home, 'askd.db'));
  const base = { store, clock: systemClock };
  const wallet = createWallet({
    ...base,
    events: createEvents(base),
    notices: createNotices(base),
    bootId: 'fill',
  });
  const posting = {
    accountId: 'acct_local',
    type: 'refund',
    amountN: toNano(0.01),
    refType: 'test',
  } as const;
  store.transaction(() =>
    descriptions.forEach((description, index) =>
      wallet.credit({ ...posting, description, refId: String(index) }),
    ),
  );
  store.close();
}
