import { command } from '../../command.ts';

export const accountLoginLink = command({
  name: 'account login-link',
  group: 'Account:',
  summary: 'print a link that signs a member in to the console',
  details: 'It works once, within a day, unless the daemon restarts first.',
  isPerAccount: true,
  examples: ['askd account login-link ada'],
  configure: (commander) => void commander.argument('<name>', 'the member'),
  async run({ connect, output }, { args: [name = ''] }) {
    const client = await connect();
    const link = await client.members.loginLink(name);
    output.result({ schema: 'account-login-link/1', ...link }, () => link.login_url);
  },
});
