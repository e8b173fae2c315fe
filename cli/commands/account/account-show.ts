import type { AccountRecord } from '../../../src/api/account/accounts.ts';
import { command } from '../../command.ts';
import { formatMoney } from '../../output/format.ts';
import { renderFields } from '../../output/table.ts';

export const accountShow = command({
  name: 'account show',
  group: 'Account:',
  summary: 'show an account',
  examples: ['askd account show default', 'askd account show default --json'],
  configure: (commander) => void commander.argument('<name>', 'the account'),
  async run({ connect, output }, { args: [name = ''] }) {
    const client = await connect();
    const account = await client.accounts.get(name);
    output.result({ schema: 'account-show/1', ...account }, () => accountText(account));
  },
});

function accountText(account: AccountRecord): string {
  return renderFields([
    ['name', account.name],
    ['id', account.id],
    ['tier', account.tier],
    ['balance', `${formatMoney(account.balance)} credits`],
    ['keys', String(account.active_keys)],
    ['created', account.created_at],
    ['suspended', account.suspended_at ?? 'no'],
  ]);
}
