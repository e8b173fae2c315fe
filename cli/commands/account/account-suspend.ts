import { command } from '../../command.ts';

export const accountSuspend = command({
  name: 'account suspend',
  group: 'Account:',
  summary: 'refuse the keys of an account and hold its work',
  details:
    'Its keys get 403 account_suspended and its sessions end. Requests and agent runs\n' +
    'that are running finish. Batches and webhooks stop until it is resumed.',
  examples: ['askd account suspend acme'],
  configure: (commander) => void commander.argument('<name>', 'the account'),
  async run({ connect, output }, { args: [name = ''] }) {
    const client = await connect();
    const account = await client.accounts.suspend(name);
    output.result(
      { schema: 'account-suspend/1', ...account },
      () => `Suspended ${account.name}. To open it again: askd account resume ${account.name}`,
    );
  },
});
