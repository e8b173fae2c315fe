import { Option } from 'commander';
import { Failure } from '../../../src/base/errors.ts';
import { command } from '../../command.ts';
import { formatCount } from '../../output/format.ts';

type WalletExportOptions = { format?: 'csv' | 'jsonl'; out?: string };

export const walletExport = command<WalletExportOptions>({
  name: 'wallet export',
  group: 'Account:',
  summary: 'write every transaction as CSV or JSON lines, newest first',
  isPerAccount: true,
  examples: ['askd wallet export > wallet.csv', 'askd wallet export --format jsonl --out wallet.jsonl'],
  configure(commander) {
    commander
      .addOption(
        new Option('--format <format>', 'csv or jsonl (default: csv; jsonl with --json)').choices([
          'csv',
          'jsonl',
        ]),
      )
      .option('-o, --out <file>', 'a new file instead of stdout');
  },
  async run({ connect, output, options: { json } }, { options: { format: wanted, out } }) {
    const format = wanted ?? (json && out === undefined ? 'jsonl' : 'csv');
    if (json && out === undefined && format === 'csv') {
      throw new Failure(
        'invalid_value',
        '--json prints JSON lines, so it cannot be combined with --format csv.',
      );
    }
    const client = await connect();
    const { transactionLines } = await import('../../output/wallet-lines.ts');
    const lines = transactionLines(client, format);
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
