import { getBalance, listTransactions } from '../../../src/api/account/wallet.ts';
import { createSnapshot } from '../../../src/store/memory.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';

export function registerWallet(register: RegisterRoute, { wallet, store }: Services): void {
  const balances = createSnapshot<ReturnType<typeof wallet.balance>>(store);

  register(getBalance, ({ principal: { accountId } }) =>
    balances.get(accountId, () => wallet.balance(accountId)),
  );

  register(listTransactions, ({ principal, query }) => ({
    transactions: wallet.transactions(principal.accountId, query),
  }));
}
