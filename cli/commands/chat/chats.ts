import { command } from '../../command.ts';
import { formatCount, formatSince } from '../../output/format.ts';
import { renderTable } from '../../output/table.ts';

export const chatsList = command({
  name: 'chats list',
  group: 'Chat:',
  summary: 'list the saved conversations',
  details: 'They are files in the folder chats of the askd home, readable only by you.',
  examples: ['askd chats list', 'askd chats list --json'],
  async run({ paths, output }) {
    const { listChats } = await import('../../chat/saved-chats.ts');
    const chats = listChats(paths.chats);
    const nowMs = Date.now();
    output.result({ schema: 'chats-list/1', chats }, () =>
      chats.length === 0
        ? 'No conversation is saved yet: askd chat --session NAME'
        : renderTable(
            chats,
            [
              { title: 'NAME', value: ({ name }) => name },
              { title: 'MODEL', value: ({ model }) => model, shrinks: 'middle' },
              { title: 'LENGTH', value: ({ messages }) => formatCount(messages, 'message') },
              { title: 'CHANGED', value: (each) => formatSince(each.changed_at, nowMs) },
            ],
            output,
          ),
    );
  },
});

export const chatsShow = command({
  name: 'chats show',
  group: 'Chat:',
  summary: 'print a conversation',
  examples: ['askd chats show holiday-plans', 'askd chats show last --json | jq -r .messages[-1].content'],
  configure: (commander) => void commander.argument('<chat>', 'name, from askd chats list'),
  async run({ paths, output, io }, { args: [name = ''] }) {
    const [{ readChat }, { transcript }] = await Promise.all([
      import('../../chat/saved-chats.ts'),
      import('../../chat/transcript.ts'),
    ]);
    const chat = readChat(paths.chats, name);
    output.result({ schema: 'chats-show/1', name, ...chat }, () => transcript(chat, output, io.stdout));
  },
});

export const chatsRemove = command({
  name: 'chats rm',
  group: 'Chat:',
  summary: 'delete a conversation',
  examples: ['askd chats rm holiday-plans'],
  configure: (commander) => void commander.argument('<chat>', 'name, from askd chats list'),
  async run({ paths, output }, { args: [name = ''] }) {
    const { removeChat } = await import('../../chat/saved-chats.ts');
    removeChat(paths.chats, name);
    output.result({ schema: 'chats-rm/1', name }, () => `Deleted ${name}.`);
  },
});
