import type { AccountRecord } from '../../../src/api/account/accounts.ts';
import { command } from '../../command.ts';
import { formatMoney, formatSince } from '../../output/format.ts';
import { renderTable, type Column } from '../../output/table.ts';

export const accountList = command({
  name: 'account list',
  group: 'Account:',
  summary: 'list the accounts of this daemon',
  examples: ['askd account list', 'askd account list --json'],
  async run({ connect, output }) {
    const client = await connect();
    const { accounts } = await client.accounts.list();
    output.result({ schema: 'account-list/1', accounts }, () =>
      renderTable(accounts, columns(Date.now()), output),
    );
  },
});

function columns(nowMs: number): Column<AccountRecord>[] {
  return [
    { title: 'NAME', value: ({ name }) => name, shrinks: true },
    { title: 'TIER', value: ({ tier }) => tier },
    { title: 'CREDITS', value: ({ balance }) => formatMoney(balance) },
    { title: 'KEYS', value: ({ active_keys: keys }) => String(keys) },
    { title: 'CREATED', value: ({ created_at: at }) => formatSince(at, nowMs) },
    { title: 'STATE', value: ({ suspended_at: at }) => (at === null ? 'active' : 'suspended') },
  ];
}
