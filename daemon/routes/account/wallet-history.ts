import { Readable } from 'node:stream';
import {
  exportTransactions,
  getWalletHistory,
  searchTransactions,
} from '../../../src/api/account/wallet-history.ts';
import type { Transaction } from '../../../src/api/account/wallet.ts';
import { toCsvCell } from '../../../src/base/csv.ts';
import type { HistoryFilter, WalletHistory } from '../../../src/wallet/history.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';

const ROWS_PER_READ = 1_000;
const COLUMNS = ['id', 'created_at', 'type', 'amount', 'balance_after', 'description'] as const;

export function registerWalletHistory(register: RegisterRoute, { walletHistory }: Services): void {
  register(searchTransactions, ({ principal, query }) => walletHistory.search(principal.accountId, query));

  register(getWalletHistory, ({ principal, query }) => walletHistory.balances(principal.accountId, query));

  register(exportTransactions, ({ principal, query, reply }) => {
    void reply.headers({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="transactions.csv"',
      'cache-control': 'no-store',
    });
    return Readable.from(csvOf(walletHistory, principal.accountId, query));
  });
}

async function* csvOf(
  history: WalletHistory,
  accountId: string,
  filter: HistoryFilter,
): AsyncGenerator<string> {
  yield `${COLUMNS.join(',')}\r\n`;
  for (let before: string | null | undefined; before !== null;) {
    const page = history.search(accountId, { ...filter, ...(before && { before }), limit: ROWS_PER_READ });
    if (page.transactions.length > 0) yield page.transactions.map(toLine).join('');
    before = page.next;
    // A long ledger must not block other requests.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function toLine(row: Transaction): string {
  return `${COLUMNS.map((column) => toCsvCell(row[column])).join(',')}\r\n`;
}
