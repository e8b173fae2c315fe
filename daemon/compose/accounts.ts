import type { Clock } from '../../src/base/clock.ts';
import type { Settings } from '../../src/config/config.ts';
import type { Events } from '../../src/events/events.ts';
import { createNotices } from '../../src/events/notices.ts';
import { createIdempotency } from '../../src/idempotency/idempotency.ts';
import { createCharges } from '../../src/inference/charges/charge.ts';
import { createKeyBudgets } from '../../src/limits/key-budgets.ts';
import { createKeySpending } from '../../src/limits/key-spending.ts';
import { createMonthlyQuota } from '../../src/limits/monthly-quota.ts';
import { createRateLimits } from '../../src/limits/rate-limits.ts';
import { createTiers } from '../../src/limits/tiers.ts';
import type { Log } from '../../src/log/log.ts';
import type { DeferredWrites } from '../../src/store/deferred-writes.ts';
import type { Store } from '../../src/store/store.ts';
import { createWalletHistory } from '../../src/wallet/history.ts';
import { createWallet } from '../../src/wallet/wallet.ts';
import { ACCOUNT_ID } from '../auth/account.ts';
import { ensureAccount } from '../profile.ts';

type Options = {
  store: Store;
  deferred: DeferredWrites;
  events: Events;
  clock: Clock;
  bootId: string;
  settings: Settings;
  log: Log;
};

/** Wallet, tiers and limits. Holds that an earlier run left open are released before anything starts. */
export function composeAccounts({ store, deferred, events, clock, bootId, settings, log }: Options) {
  const notices = createNotices({ store, clock });
  const tiers = createTiers({ store, events, clock });
  const budgets = createKeyBudgets({ store, clock });
  const rates = createRateLimits({ store, events, tiers, budgets, clock });
  const quota = createMonthlyQuota({ store, tiers, clock });
  const wallet = createWallet({ store, events, notices, clock, bootId });
  ensureAccount({ store, tiers, wallet }, ACCOUNT_ID, settings.profile);
  const released = store.transaction(wallet.holds.releaseOrphans);
  if (released > 0) log.warn({ holds: released }, 'credits held by an earlier run were released');
  const idempotency = createIdempotency({ store, clock, bootId, onResume: wallet.refundRequest });
  const spendingOf = createKeySpending({ budgets });
  const parts = { store, deferred, events, notices, tiers, rates, quota, spendingOf, wallet };
  const charges = createCharges(parts);
  const walletHistory = createWalletHistory({ store, clock });
  return { notices, tiers, budgets, rates, quota, wallet, walletHistory, charges, idempotency };
}
