import { Option } from 'commander';
import type { MemberRole } from '../../../src/api/account/members.ts';
import { command } from '../../command.ts';
import { ofAccount } from './of-account.ts';

export const accountAddMember = command<{ role: MemberRole; email?: string }>({
  name: 'account add-member',
  group: 'Account:',
  summary: 'add a member, who can sign in to the console',
  details:
    'owner: everything in the account. member: the playground and their own keys.\n' +
    'billing: the wallet and usage, but no content.',
  isPerAccount: true,
  examples: ['askd account add-member ada --role member', 'askd account add-member bo --role billing'],
  configure(commander) {
    commander
      .argument('<name>', 'lowercase letters, digits, dots and dashes')
      .addOption(
        new Option('--role <role>', 'what the member may do')
          .choices(['owner', 'member', 'billing'])
          .makeOptionMandatory(),
      )
      .option('--email <address>', 'email address; OpenID logins are matched by it');
  },
  async run({ connect, options, output }, { args: [name = ''], options: { role, email } }) {
    const client = await connect();
    const member = await client.members.add({ name, role, ...(email !== undefined && { email }) });
    output.result(
      { schema: 'account-add-member/1', ...member },
      () =>
        `Added ${member.name} as ${member.role}. To sign in: askd account login-link ${member.name}${ofAccount(options)}`,
    );
  },
});
