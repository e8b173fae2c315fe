import { command } from '../../command.ts';

export const accountRemoveMember = command({
  name: 'account remove-member',
  group: 'Account:',
  summary: 'remove a member: sessions end, keys are revoked',
  isPerAccount: true,
  examples: ['askd account remove-member ada'],
  configure: (commander) => void commander.argument('<name>', 'the member'),
  async run({ connect, output }, { args: [name = ''] }) {
    const client = await connect();
    await client.members.remove(name);
    output.result({ schema: 'account-remove-member/1', name }, () => `Removed ${name}.`);
  },
});
