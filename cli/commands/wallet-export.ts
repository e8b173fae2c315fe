import { TRANSACTIONS_PER_PAGE_MAX } from '../../src/api/limits.ts';
import type { Transaction } from '../../src/api/wallet.ts';
import { Option } from 'commander';
import type { Client } from '../client.ts';
import { command } from '../command.ts';
import { formatCount } from '../format.ts';

type WalletExportOptions = { format: 'csv' | 'jsonl'; out?: string };

const COLUMNS = ['id', 'created_at', 'type', 'amount', 'balance_after', 'description'] as const;

export const walletExport = command<WalletExportOptions>({
  name: 'wallet export',
  group: 'Account:',
  summary: 'write every transaction as CSV or JSON lines, newest first',
  examples: ['askd wallet export > wallet.csv', 'askd wallet export --format jsonl --out wallet.jsonl'],
  configure(commander) {
    commander
      .addOption(new Option('--format <format>', 'of the lines').choices(['csv', 'jsonl']).default('csv'))
      .option('-o, --out <file>', 'a new file instead of stdout');
  },
  async run({ connect, output }, { options: { format, out } }) {
    const client = await connect();
    const toLine = format === 'csv' ? toCsvLine : (row: Transaction) => JSON.stringify(row);
    const lines = allLines(client, format === 'csv' ? COLUMNS.join(',') : undefined, toLine);
    let count = 0;
    if (out === undefined) {
      for await (const line of lines) output.line(line);
      return;
    }
    const { open } = await import('node:fs/promises');
    const file = await open(out, 'wx');
    try {
      for await (const line of lines) {
        await file.write(`${line}\n`);
        count += 1;
      }
    } finally {
      await file.close();
    }
    const rows = format === 'csv' ? count - 1 : count;
    output.result({ schema: 'wallet-export/1', file: out, format, transactions: rows }, () => {
      return `Wrote ${formatCount(rows, 'transaction')} to ${out}.`;
    });
  },
});

async function* allLines(
  client: Client,
  header: string | undefined,
  toLine: (row: Transaction) => string,
): AsyncGenerator<string> {
  if (header !== undefined) yield header;
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

/** A text that a spreadsheet would run as a formula is kept a text. */
export function toCsvCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
