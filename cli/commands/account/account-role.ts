import { Argument } from 'commander';
import type { MemberRole } from '../../../src/api/account/members.ts';
import { command } from '../../command.ts';

export const accountRole = command({
  name: 'account role',
  group: 'Account:',
  summary: 'change the role of a member',
  details: 'Keys lose the scopes that the new role does not allow, or are revoked.',
  isPerAccount: true,
  examples: ['askd account role ada owner'],
  configure(commander) {
    commander
      .argument('<name>', 'the member')
      .addArgument(new Argument('<role>', 'the new role').choices(['owner', 'member', 'billing']));
  },
  async run({ connect, output }, { args: [name = '', role] }) {
    const client = await connect();
    const member = await client.members.changeRole(name, role as MemberRole);
    output.result(
      { schema: 'account-role/1', ...member },
      () => `${member.name} now has the role ${member.role}.`,
    );
  },
});
