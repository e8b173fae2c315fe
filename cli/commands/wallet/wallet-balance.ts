import type { Balance } from '../../../src/api/account/wallet.ts';
import { command } from '../../command.ts';
import { formatMoney } from '../../output/format.ts';
import { renderFields } from '../../output/table.ts';

export const walletBalance = command({
  name: 'wallet balance',
  group: 'Account:',
  summary: 'show the balance and what running requests hold',
  isPerAccount: true,
  examples: ['askd wallet balance', 'askd wallet balance --json'],
  async run({ connect, output }) {
    const client = await connect();
    const balance = await client.balance();
    output.result({ schema: 'wallet-balance/1', ...balance }, () => balanceText(balance));
  },
});

function balanceText({ balance, held, available }: Balance): string {
  const fields: [string, string][] = [['balance', `${formatMoney(balance)} credits`]];
  if (held > 0) fields.push(['held', formatMoney(held)], ['available', formatMoney(available)]);
  return renderFields(fields);
}
