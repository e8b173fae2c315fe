import { command } from '../../command.ts';

export const accountCreate = command({
  name: 'account create',
  group: 'Account:',
  summary: 'create a separate account for other people',
  details:
    'It has a wallet, a tier, keys, usage and webhooks of its own, and starts on the\n' +
    'free tier. These commands take --account NAME: keys, wallet, usage, session,\n' +
    'audit and account tier.',
  examples: [
    'askd account create acme',
    'askd keys create --account acme --name app',
    'askd wallet topup 25 --account acme',
    'askd account tier startup --account acme',
  ],
  configure: (commander) => void commander.argument('<name>', 'lowercase letters, digits, dots and dashes'),
  async run({ connect, output }, { args: [name = ''] }) {
    const client = await connect();
    const account = await client.accounts.create(name);
    output.result({ schema: 'account-create/1', ...account }, () => account.name);
    output.note(
      `Created ${account.name}. Its first key: askd keys create --account ${account.name} --name app`,
    );
  },
});
