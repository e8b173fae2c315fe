import { Option } from 'commander';
import type { WalletSettings, WalletSettingsRequest } from '../../../src/api/account/wallet-settings.ts';
import { numberBetween } from '../../command-line/arguments.ts';
import { command } from '../../command.ts';
import { formatMoney } from '../../output/format.ts';
import { renderFields } from '../../output/table.ts';

type WalletSettingsOptions = {
  autoTopup?: 'on' | 'off';
  threshold?: number;
  amount?: number;
  spendingLimit?: number | 'off';
  limitAction?: 'block' | 'alert';
  lowBalance?: number | 'off';
  email?: string;
};

const credits = numberBetween(0, 9_000_000);
const creditsOrOff = (text: string) => (text === 'off' ? text : credits(text));

export const walletSettings = command<WalletSettingsOptions>({
  name: 'wallet settings',
  group: 'Account:',
  summary: 'show or change the automatic top-up, the spending limit and the low-balance alert',
  isPerAccount: true,
  examples: [
    'askd wallet settings',
    'askd wallet settings --auto-topup on --threshold 10 --amount 50',
    'askd wallet settings --spending-limit 20 --limit-action block',
    'askd wallet settings --low-balance 5 --email me@example.com',
  ],
  configure(commander) {
    commander
      .addOption(new Option('--auto-topup <switch>', 'add credits automatically').choices(['on', 'off']))
      .option('--threshold <credits>', 'add credits below this balance', credits)
      .option('--amount <credits>', 'credits to add', credits)
      .option('--spending-limit <credits>', 'maximum spending per calendar month, or off', creditsOrOff)
      .addOption(
        new Option('--limit-action <action>', 'what happens at the limit').choices(['block', 'alert']),
      )
      .option('--low-balance <credits>', 'alert below this balance, or off', creditsOrOff)
      .option('--email <address>', 'email address for the alert');
  },
  async run({ connect, output }, { options }) {
    const client = await connect();
    const now = await client.walletSettings();
    const changes = toChanges(now, options);
    const settings = Object.keys(changes).length === 0 ? now : await client.setWalletSettings(changes);
    output.result({ schema: 'wallet-settings/1', ...settings }, () => settingsText(settings));
  },
});

/** The API replaces a part as a whole, so options that were not given are filled in. */
function toChanges(now: WalletSettings, options: WalletSettingsOptions): WalletSettingsRequest {
  const { autoTopup, threshold, amount, spendingLimit, limitAction, lowBalance, email } = options;
  const { auto_topup: topup, spending_limit: limit, low_balance_alert: alert } = now;
  const touchesTopup = autoTopup !== undefined || threshold !== undefined || amount !== undefined;
  return {
    ...(touchesTopup && {
      auto_topup: {
        enabled: autoTopup === undefined ? topup.enabled : autoTopup === 'on',
        threshold: threshold ?? topup.threshold,
        amount: amount ?? topup.amount,
      },
    }),
    ...((spendingLimit !== undefined || limitAction !== undefined) && {
      spending_limit: {
        enabled: spendingLimit === undefined ? limit.enabled : spendingLimit !== 'off',
        monthly_limit: typeof spendingLimit === 'number' ? spendingLimit : limit.monthly_limit,
        action: limitAction ?? limit.action,
      },
    }),
    ...((lowBalance !== undefined || email !== undefined) && {
      low_balance_alert: {
        enabled: lowBalance === undefined ? alert.enabled : lowBalance !== 'off',
        threshold: typeof lowBalance === 'number' ? lowBalance : alert.threshold,
        email: email ?? alert.email,
      },
    }),
  };
}

function settingsText({
  auto_topup: topup,
  spending_limit: limit,
  low_balance_alert: alert,
}: WalletSettings) {
  return renderFields([
    [
      'automatic top-up',
      topup.enabled ? `${formatMoney(topup.amount)} below ${formatMoney(topup.threshold)}` : 'off',
    ],
    [
      'spending limit',
      limit.enabled ? `${formatMoney(limit.monthly_limit)} a month, then ${limit.action}` : 'off',
    ],
    [
      'low balance',
      alert.enabled ? `below ${formatMoney(alert.threshold)}, ${alert.email ?? 'as a notice'}` : 'off',
    ],
  ]);
}
