import { Option } from 'commander';
import type { TierChange, TierRecord } from '../../../src/api/account/account.ts';
import { integerBetween } from '../../command-line/arguments.ts';
import { command } from '../../command.ts';
import { perMinute } from '../../output/format.ts';
import { renderFields } from '../../output/table.ts';

type AccountTierOptions = { rpm?: number; tpm?: number; monthlyTokens?: number };

const number = integerBetween(1, 1_000_000_000_000);

export const accountTier = command<AccountTierOptions>({
  name: 'account tier',
  group: 'Account:',
  summary: 'show the tier and its limits, or change it',
  isPerAccount: true,
  examples: ['askd account tier', 'askd account tier free', 'askd account tier enterprise --rpm 1000'],
  configure(commander) {
    commander
      .argument('[tier]', 'free, developer, startup or enterprise')
      .option('--rpm <n>', 'requests per minute, for enterprise', number)
      .option('--tpm <n>', 'tokens per minute, for enterprise', number)
      .addOption(
        new Option('--monthly-tokens <n>', 'tokens per calendar month, for enterprise').argParser(number),
      );
  },
  async run({ connect, output }, { args: [tier], options: { rpm, tpm, monthlyTokens } }) {
    const client = await connect();
    const custom = {
      ...(rpm !== undefined && { rpm }),
      ...(tpm !== undefined && { tpm }),
      ...(monthlyTokens !== undefined && { monthly_tokens: monthlyTokens }),
    };
    const isChange = tier !== undefined || Object.keys(custom).length > 0;
    const wanted = { tier: tier ?? 'enterprise', ...custom } as TierChange;
    const record = isChange ? await client.setTier(wanted) : await client.tier();
    output.result({ schema: 'account-tier/1', ...record }, () => tierText(record));
  },
});

export function tierText(record: TierRecord): string {
  const month = record.monthly_tokens;
  return renderFields([
    ['tier', record.tier],
    ['profile', record.profile],
    ['requests', perMinute(record.rpm)],
    ['tokens', perMinute(record.tpm)],
    ['this month', `${record.used_tokens} tokens used${month === null ? '' : ` of ${month}`}`],
  ]);
}
