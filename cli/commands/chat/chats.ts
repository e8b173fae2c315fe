import type { ChatSummary } from '../../../src/api/management/chats.ts';
import { command } from '../../command.ts';
import type { Context } from '../../context.ts';
import { formatCount, formatSince } from '../../output/format.ts';
import { sanitiseLine } from '../../output/sanitise.ts';
import { renderTable } from '../../output/table.ts';

export const chatsList = command({
  name: 'chats list',
  group: 'Chat:',
  summary: 'list the saved conversations',
  details:
    'They are in the database of the daemon, which only you can read, and in its backups (askd backup).',
  examples: ['askd chats list', 'askd chats list --json'],
  async run(context) {
    const { listChats } = await import('../../chat/saved-chats.ts');
    const client = await context.connect();
    const chats = await listChats(async () => client.chats);
    await nameUnreadable(context);
    const { output } = context;
    output.result({ schema: 'chats-list/1', chats }, () =>
      chats.length === 0 ? 'No conversation is saved yet: askd chat --session NAME' : table(chats, output),
    );
  },
});

function table(chats: readonly ChatSummary[], output: Context['output']): string {
  const nowMs = Date.now();
  return renderTable(
    chats,
    [
      { title: 'NAME', value: ({ name }) => name },
      { title: 'MODEL', value: ({ model }) => sanitiseLine(model), shrinks: 'middle' },
      { title: 'LENGTH', value: ({ messages }) => formatCount(messages, 'message') },
      { title: 'CHANGED', value: (each) => formatSince(each.changed_at, nowMs) },
    ],
    output,
  );
}

/** The daemon has moved the files of earlier versions into its database; any that remain could not be read. */
async function nameUnreadable({ paths, options, output }: Context): Promise<void> {
  if (options.host !== undefined) return;
  const { readdirSync, existsSync } = await import('node:fs');
  const files = existsSync(paths.chats) ? readdirSync(paths.chats) : [];
  for (const file of files.filter((name) => name.endsWith('.json')))
    output.note(
      `note: ${paths.chats}/${sanitiseLine(file)} is not a readable conversation and is left as it is`,
    );
}

export const chatsShow = command({
  name: 'chats show',
  group: 'Chat:',
  summary: 'print a conversation',
  details:
    'For a conversation with branches, the one that was shown last; askd chats export --format json has all.',
  examples: ['askd chats show holiday-plans', 'askd chats show last --json | jq -r .messages[-1].content'],
  configure: (commander) => void commander.argument('<chat>', 'name, from askd chats list'),
  async run(context, { args: [name = ''] }) {
    const { output, io } = context;
    const [{ lineTo }, { transcript }, client] = await Promise.all([
      import('../../chat/branches.ts'),
      import('../../chat/transcript.ts'),
      context.connect(),
    ]);
    const { messages: all, current, ...chat } = await client.chats.get(name);
    const messages = lineTo(all, current);
    output.result({ schema: 'chats-show/1', ...chat, messages }, () =>
      transcript(messages, output, io.stdout),
    );
  },
});

export const chatsRemove = command({
  name: 'chats rm',
  group: 'Chat:',
  summary: 'delete a conversation',
  examples: ['askd chats rm holiday-plans'],
  configure: (commander) => void commander.argument('<chat>', 'name, from askd chats list'),
  async run(context, { args: [name = ''] }) {
    const client = await context.connect();
    await client.chats.remove(name);
    context.output.result({ schema: 'chats-rm/1', name }, () => `Deleted ${name}.`);
  },
});

export const chatsRename = command({
  name: 'chats rename',
  group: 'Chat:',
  summary: 'give a conversation another name',
  examples: ['askd chats rename last holiday-plans'],
  configure: (commander) =>
    void commander
      .argument('<chat>', 'name, from askd chats list')
      .argument('<new-name>', 'letters, digits, dots and dashes'),
  async run(context, { args: [chat = '', name = ''] }) {
    const client = await context.connect();
    const renamed = await client.chats.update(chat, { name });
    context.output.result({ schema: 'chats-rename/1', ...renamed }, () => `${chat} is now ${renamed.name}.`);
  },
});
