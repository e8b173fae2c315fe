import { command } from '../../command.ts';

export const sessionCreate = command({
  name: 'session create',
  group: 'Access:',
  summary: 'open a dashboard session for a script',
  details:
    'The value of a Cookie header goes to stdout alone. It opens what askd dashboard opens, so keep it as a password.',
  examples: [
    'askd session create --json',
    'curl -H "Cookie: $(askd session create -q)" http://127.0.0.1:11535/api/keys',
  ],
  async run({ connect, output }) {
    const client = await connect();
    const session = await client.createSession();
    output.result({ schema: 'session-create/1', ...session }, () => session.cookie);
    output.note(
      `Opened ${session.id}. It ends ${session.expires_at}, and each use within that time moves the end.`,
    );
  },
});
