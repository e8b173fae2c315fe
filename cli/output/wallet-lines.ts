import { TRANSACTIONS_PER_PAGE_MAX } from '../../src/api/account/limits.ts';
import type { Transaction } from '../../src/api/account/wallet.ts';
import { toCsvCell } from '../../src/base/csv.ts';
import type { Client } from '../client/client.ts';

const COLUMNS = ['id', 'created_at', 'type', 'amount', 'balance_after', 'description'] as const;

/** Every transaction, newest first; CSV starts with a header. */
export async function* transactionLines(client: Client, format: 'csv' | 'jsonl'): AsyncGenerator<string> {
  const toLine = format === 'csv' ? toCsvLine : (row: Transaction) => JSON.stringify(row);
  if (format === 'csv') yield COLUMNS.join(',');
  let before: string | undefined;
  for (;;) {
    const limit = TRANSACTIONS_PER_PAGE_MAX;
    const { transactions } = await client.transactions({ limit, ...(before !== undefined && { before }) });
    for (const transaction of transactions) yield toLine(transaction);
    before = transactions.at(-1)?.id;
    if (transactions.length < limit) return;
  }
}

function toCsvLine(row: Transaction): string {
  return COLUMNS.map((column) => toCsvCell(row[column])).join(',');
}
