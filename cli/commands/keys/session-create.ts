import { command } from '../../command.ts';

export const sessionCreate = command({
  name: 'session create',
  group: 'Access:',
  summary: 'open a dashboard session for a script',
  details:
    'Only the value of a Cookie header goes to stdout. It opens the whole dashboard, so treat it like a password.',
  isPerAccount: true,
  examples: [
    'askd session create --json',
    'curl -H "Cookie: $(askd session create -q)" http://127.0.0.1:11535/api/keys',
  ],
  async run({ connect, output }) {
    const client = await connect();
    const session = await client.createSession();
    output.result({ schema: 'session-create/1', ...session }, () => session.cookie);
    output.note(`Opened ${session.id}. It expires ${session.expires_at}; each use extends it.`);
  },
});
