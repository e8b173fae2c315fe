import { command } from '../../command.ts';

export const accountSuspend = command({
  name: 'account suspend',
  group: 'Account:',
  summary: 'suspend an account: refuse its keys, pause its work',
  details:
    'Its keys get 403 account_suspended and its sessions end. Running requests and\n' +
    'agent runs finish. Batches and webhooks are paused until it is resumed.',
  examples: ['askd account suspend acme'],
  configure: (commander) => void commander.argument('<name>', 'the account'),
  async run({ connect, output }, { args: [name = ''] }) {
    const client = await connect();
    const account = await client.accounts.suspend(name);
    output.result(
      { schema: 'account-suspend/1', ...account },
      () => `Suspended ${account.name}. To resume it: askd account resume ${account.name}`,
    );
  },
});
