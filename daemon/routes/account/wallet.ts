import { getBalance, listTransactions } from '../../../src/api/account/wallet.ts';
import { createSnapshot } from '../../../src/store/memory.ts';
import type { Services } from '../../compose.ts';
import type { Mount } from '../../http/register-route.ts';

export function mountWallet(mount: Mount, { wallet, store }: Services): void {
  const balances = createSnapshot<ReturnType<typeof wallet.balance>>(store);

  mount(getBalance, ({ principal: { accountId } }) =>
    balances.get(accountId, () => wallet.balance(accountId)),
  );

  mount(listTransactions, ({ principal, query }) => ({
    transactions: wallet.transactions(principal.accountId, query),
  }));
}
