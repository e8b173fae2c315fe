import { toIso, type Clock } from '../base/clock.ts';
import type { Notices } from '../events/notices.ts';
import { formatCredits } from '../base/money.ts';
import type { Store } from '../store/store.ts';
import type { BalanceChange } from './ledger.ts';
import type { Mails } from './mails.ts';
import type { WalletSettings } from './settings.ts';

type Parts = { store: Store; settings: WalletSettings; notices: Notices; mails: Mails; clock: Clock };

/**
 * Notifies the owner once when the balance drops below the threshold, and again only after a top-up. Runs inside the
 * transaction of the change, so that alert and change are stored together or not at all.
 */
export function createLowBalanceAlert({ store, settings, notices, mails, clock }: Parts) {
  return ({ accountId, type, afterN }: BalanceChange): void => {
    const { enabled, thresholdN, email } = settings.get(accountId).lowBalanceAlert;
    if (!enabled) return;
    if (type !== 'usage' || afterN >= thresholdN) return arm(accountId);
    if (store.prepare(DISARM).run(accountId).changes === 0) return;
    const message = `The balance is ${formatCredits(afterN)} credits, below ${formatCredits(thresholdN)}.`;
    notices.once(accountId, { kind: 'low_balance', period: toIso(clock.now()), message });
    if (email === null) return;
    const body = `${message}\n\nAdd credits: askd wallet topup 10\nThe threshold is in: askd wallet settings\n`;
    mails.post({ to: email, subject: 'Your askd balance is low', body });
  };

  function arm(accountId: string): void {
    store
      .prepare(
        'UPDATE wallet_settings SET low_balance_armed = 1 WHERE account_id = ? AND low_balance_armed = 0',
      )
      .run(accountId);
  }
}

const DISARM =
  'UPDATE wallet_settings SET low_balance_armed = 0 WHERE account_id = ? AND low_balance_armed = 1';
