import type { MemberRecord } from '../../../src/api/account/members.ts';
import { command } from '../../command.ts';
import { formatSince } from '../../output/format.ts';
import { renderTable, type Column } from '../../output/table.ts';
import { ofAccount } from './of-account.ts';

export const accountMembers = command({
  name: 'account members',
  group: 'Account:',
  summary: 'list the people of an account',
  isPerAccount: true,
  examples: ['askd account members', 'askd account members --account acme'],
  async run({ connect, options, output }) {
    const client = await connect();
    const { members } = await client.members.list();
    output.result({ schema: 'account-members/1', members }, () =>
      members.length === 0
        ? `No members: askd account add-member NAME --role member${ofAccount(options)}`
        : renderTable(members, columns(Date.now()), output),
    );
  },
});

function columns(nowMs: number): Column<MemberRecord>[] {
  return [
    { title: 'NAME', value: ({ name }) => name, shrinks: true },
    { title: 'ROLE', value: ({ role }) => role },
    { title: 'EMAIL', value: ({ email }) => email ?? '-', shrinks: true },
    { title: 'ADDED', value: ({ created_at: at }) => formatSince(at, nowMs) },
  ];
}
