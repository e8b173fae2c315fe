import { onTestFinished } from 'vitest';
import { createEvents } from '../../../src/events/events.ts';
import { createNotices } from '../../../src/events/notices.ts';
import { createCharges } from '../../../src/inference/charges/charge.ts';
import { createMetered } from '../../../src/inference/metered.ts';
import { createKeyBudgets } from '../../../src/limits/key-budgets.ts';
import { createKeySpending } from '../../../src/limits/key-spending.ts';
import { createMonthlyQuota } from '../../../src/limits/monthly-quota.ts';
import { createRateLimits } from '../../../src/limits/rate-limits.ts';
import { createTiers } from '../../../src/limits/tiers.ts';
import { toNano } from '../../../src/base/money.ts';
import { createDeferredWrites } from '../../../src/store/deferred-writes.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { auditLedger } from '../../../src/wallet/audit.ts';
import type { Hold } from '../../../src/wallet/holds.ts';
import { createWallet } from '../../../src/wallet/wallet.ts';
import { settableClock } from '../clock.ts';

export const ACCOUNT = 'acct_test';

export type TestWallet = ReturnType<typeof openWallet>;

type Options = {
  path?: string;
  bootId?: string;
  clock?: ReturnType<typeof settableClock>;
  refundFailed?: boolean;
};

/**
 * An account on the tier developer with an empty wallet and its limits, over a real database; deleted with its test.
 */
export function openWallet(options: Options = {}) {
  const store = openStore(options.path ?? ':memory:');
  onTestFinished(() => store.close());
  return walletOver(store, options);
}

/** The same parts as after a start of the daemon. */
export function walletOver(
  store: Store,
  { bootId = 'boot', clock = settableClock(), refundFailed = false }: Options,
) {
  const events = createEvents({ store, clock });
  const notices = createNotices({ store, clock });
  const wallet = createWallet({ store, events, notices, clock, bootId });
  const tiers = createTiers({ store, events, clock });
  const budgets = createKeyBudgets({ store, clock });
  const rates = createRateLimits({ store, events, tiers, budgets, clock });
  const quota = createMonthlyQuota({ store, tiers, clock });
  if (tiers.profileOf(ACCOUNT) === undefined) {
    tiers.setProfile(ACCOUNT, 'hosted');
    tiers.set(ACCOUNT, 'developer');
  }
  const deferred = createDeferredWrites({ log: { error: () => undefined, info: () => undefined } });
  const spendingOf = createKeySpending({ budgets });
  const parts = { store, deferred, events, notices, tiers, rates, quota, spendingOf, wallet };
  const charges = createCharges(parts);
  const metered = createMetered({ store, events, clock, charges, refundFailed });
  let credits = 0;
  return {
    ...{
      store,
      clock,
      events,
      notices,
      wallet,
      tiers,
      budgets,
      spendingOf,
      rates,
      quota,
      charges,
      metered,
      deferred,
    },
    /** Adds credits and returns the wallet after it. */
    credit: (amount: number, type: 'topup' | 'bonus' = 'topup') => {
      credits += 1;
      const posting = { type, amountN: toNano(amount), description: 'Credits', refType: 'test' } as const;
      store.transaction(() =>
        wallet.credit({ accountId: ACCOUNT, ...posting, refId: `${bootId}-${credits}` }),
      );
      return wallet.balance(ACCOUNT);
    },
    /** Settles a hold as the end of a request does, with the record of that request. */
    settle: (hold: Hold, costN: number) =>
      store.transaction(() => {
        store.prepare(RECORD).run(Math.min(costN, hold.amountN), hold.id);
        return wallet.holds.settle(hold, { costN, description: 'used' });
      }),
    findings: () => auditLedger(store).findings,
    eventsOf: (type: string) =>
      events.after(0, 10_000).flatMap((event) => (event.type === type ? [event.data] : [])),
  };
}

const RECORD = `
  INSERT INTO usage(id, account_id, task, model, artifact, prompt_tokens, cached_tokens, completion_tokens, outcome,
    started_at, duration_ms, cost_n)
  SELECT request_id, account_id, 'chat', 'm', 'a', 0, 0, 0, 'finished', 1, 1, ? FROM holds WHERE id = ?`;
