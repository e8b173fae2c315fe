import type { Profile } from '../src/config/config.ts';
import type { Tiers } from '../src/limits/tiers.ts';
import { toNano } from '../src/base/money.ts';
import type { Store } from '../src/store/store.ts';
import type { Wallet } from '../src/wallet/wallet.ts';

const PERSONAL_BONUS = 100;
const PERSONAL_AUTO_TOPUP = { threshold: 10, amount: 100 };

type Accounts = { store: Store; tiers: Tiers; wallet: Wallet };

/** The first start creates the account as the settings say; later ones leave it as it is. */
export function ensureAccount(accounts: Accounts, accountId: string, profile: Profile): void {
  if (accounts.tiers.profileOf(accountId) === undefined) applyProfile(accounts, accountId, profile);
}

/**
 * A profile is a set of ordinary settings that can all be changed later. `personal` meters and charges as the
 * contract says but never blocks the owner; `hosted` has the limits that the contract sets for the public.
 */
export function applyProfile({ store, tiers, wallet }: Accounts, accountId: string, profile: Profile): void {
  store.transaction(() => {
    tiers.setProfile(accountId, profile);
    if (profile === 'hosted') {
      tiers.set(accountId, 'free');
      wallet.settings.put(accountId, { autoTopup: { enabled: false, thresholdN: 0, amountN: 0 } });
      return;
    }
    tiers.set(accountId, 'enterprise');
    const { threshold, amount } = PERSONAL_AUTO_TOPUP;
    const autoTopup = { enabled: true, thresholdN: toNano(threshold), amountN: toNano(amount) };
    wallet.settings.put(accountId, { autoTopup });
    wallet.credit({
      accountId,
      type: 'bonus',
      amountN: toNano(PERSONAL_BONUS),
      description: 'Welcome to your own machine',
      refType: 'profile',
      refId: `${accountId} ${profile}`,
    });
  });
}
