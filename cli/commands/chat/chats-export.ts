import { Option } from 'commander';
import { command } from '../../command.ts';

export const chatsExport = command<{ format: 'markdown' | 'json'; out?: string }>({
  name: 'chats export',
  group: 'Chat:',
  summary: 'write a conversation as Markdown or JSON',
  details: 'Markdown has the branch that was shown last and names its images; JSON has everything.',
  examples: [
    'askd chats export holiday-plans > holiday-plans.md',
    'askd chats export holiday-plans --format json --out holiday-plans.json',
  ],
  configure: (commander) =>
    void commander
      .argument('<chat>', 'name, from askd chats list')
      .addOption(
        new Option('--format <format>', 'format of the file')
          .choices(['markdown', 'json'])
          .default('markdown'),
      )
      .option('-o, --out <file>', 'write it to this file, which only you can read'),
  async run(context, { args: [name = ''], options: { format, out } }) {
    const { output } = context;
    const [{ exportChat }, client] = await Promise.all([
      import('../../chat/export-chat.ts'),
      context.connect(),
    ]);
    const chat = await client.chats.get(name);
    const text = exportChat(chat, format);
    if (out === undefined) return output.result({ schema: 'chats-export/1', ...chat }, () => text.trimEnd());
    const { writeFileSync } = await import('node:fs');
    writeFileSync(out, text, { mode: 0o600 });
    output.result({ schema: 'chats-export/1', path: out }, () => `${name} is in ${out}.`);
  },
});
