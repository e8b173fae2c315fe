import type { Transaction, TransactionQuery } from '../../../src/api/account/wallet.ts';
import { integerBetween } from '../../command-line/arguments.ts';
import { command } from '../../command.ts';
import { formatAmount, formatMoney, formatSince } from '../../output/format.ts';
import { renderTable, type Column } from '../../output/table.ts';

type WalletHistoryOptions = { limit: number; before?: string; type?: NonNullable<TransactionQuery['type']> };

export const walletHistory = command<WalletHistoryOptions>({
  name: 'wallet history',
  group: 'Account:',
  summary: 'list the transactions, newest first',
  isPerAccount: true,
  examples: [
    'askd wallet history',
    'askd wallet history --type topup --limit 5',
    'askd wallet history --json',
  ],
  configure(commander) {
    commander
      .option('-n, --limit <count>', 'maximum number', integerBetween(1, 1000), 20)
      .option('--before <id>', 'only transactions older than this one')
      .option('--type <type>', 'topup, usage, refund or bonus');
  },
  async run({ connect, output }, { options: { limit, before, type } }) {
    const client = await connect();
    const { transactions } = await client.transactions({
      limit,
      ...(before !== undefined && { before }),
      ...(type !== undefined && { type }),
    });
    output.result({ schema: 'wallet-history/1', transactions }, () =>
      transactions.length === 0
        ? 'No transactions yet.'
        : renderTable(transactions, columns(Date.now()), output),
    );
    if (transactions.length === limit) {
      output.note(`There may be more: askd wallet history --before ${transactions.at(-1)?.id}`);
    }
  },
});

function columns(nowMs: number): Column<Transaction>[] {
  return [
    { title: 'WHEN', value: (row) => formatSince(row.created_at, nowMs) },
    { title: 'TYPE', value: (row) => row.type },
    amountColumn('AMOUNT', (row) => row.amount),
    amountColumn('BALANCE', (row) => row.balance_after),
    { title: 'WHAT', value: (row) => row.description, shrinks: true },
  ];
}

function amountColumn(title: string, amountOf: (row: Transaction) => number): Column<Transaction> {
  return {
    title,
    value: (row) => formatAmount(amountOf(row)),
    exact: (row) => formatMoney(amountOf(row)),
    align: 'decimal',
  };
}
