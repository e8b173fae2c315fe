import type { Store } from '../../store/store.ts';
import type { ProviderName } from '../checkout.ts';

export type Customers = ReturnType<typeof createCustomers>;

/** The provider's customer ids of accounts. */
export function createCustomers({ store, provider }: { store: Store; provider: ProviderName }) {
  return {
    find(accountId: string): string | undefined {
      const sql = 'SELECT customer FROM provider_customers WHERE account_id = ? AND provider = ?';
      return store.prepare<{ customer: string }>(sql).get(accountId, provider)?.customer;
    },
    keep(accountId: string, customer: string): void {
      const sql = 'INSERT OR REPLACE INTO provider_customers(account_id, provider, customer) VALUES(?, ?, ?)';
      store.prepare(sql).run(accountId, provider, customer);
    },
  };
}
