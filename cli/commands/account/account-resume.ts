import { command } from '../../command.ts';

export const accountResume = command({
  name: 'account resume',
  group: 'Account:',
  summary: 'resume a suspended account',
  examples: ['askd account resume acme'],
  configure: (commander) => void commander.argument('<name>', 'the account'),
  async run({ connect, output }, { args: [name = ''] }) {
    const client = await connect();
    const account = await client.accounts.resume(name);
    output.result({ schema: 'account-resume/1', ...account }, () => `Resumed ${account.name}.`);
  },
});
