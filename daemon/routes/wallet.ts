import { getBalance, listTransactions } from '../../src/api/wallet.ts';
import type { Services } from '../compose.ts';
import type { Mount } from '../mount.ts';

export function mountWallet(mount: Mount, { wallet }: Services): void {
  mount(getBalance, ({ principal }) => wallet.balance(principal.accountId));

  mount(listTransactions, ({ principal, query }) => ({
    transactions: wallet.transactions(principal.accountId, query),
  }));
}
