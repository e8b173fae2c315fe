import type { TopUp } from '../../../src/api/account/topup.ts';
import { numberBetween } from '../../command-line/arguments.ts';
import { command } from '../../command.ts';
import { formatMoney } from '../../output/format.ts';
import { renderFields } from '../../output/table.ts';

export const walletTopup = command<{ open?: boolean }>({
  name: 'wallet topup',
  group: 'Account:',
  summary: 'add credits: opens the page where the payment is confirmed',
  details: 'Without a display, or with --no-open or --json, the link is printed.',
  isPerAccount: true,
  examples: ['askd wallet topup 25', 'askd wallet topup 50 --no-open'],
  configure(commander) {
    commander
      .argument('<amount>', 'US dollars, from 1 to 499.99', numberBetween(1, 1_000_000))
      .option('--no-open', 'print the link instead of opening a browser');
  },
  async run({ connect, output, environment }, { args: [amount], options: { open } }) {
    const client = await connect();
    const topUp = await client.topUp({ amount: Number(amount) });
    if (open !== false && !output.json) {
      const { showInBrowser } = await import('../../prompt/browser.ts');
      await showInBrowser(topUp.checkout_url, { environment, output });
    }
    output.result({ schema: 'wallet-topup/1', ...topUp }, () => topUpText(topUp));
  },
});

function topUpText({ checkout_url: url, amount, bonus, total, expires_at: expiresAt }: TopUp): string {
  return renderFields([
    ['amount', formatMoney(amount)],
    ['bonus', formatMoney(bonus)],
    ['credits', formatMoney(total)],
    ['confirm at', url],
    ['until', expiresAt],
  ]);
}
