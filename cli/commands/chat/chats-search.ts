import type { ChatHit } from '../../../src/api/management/chats.ts';
import { integerBetween } from '../../command-line/arguments.ts';
import { command } from '../../command.ts';
import type { Context } from '../../context.ts';
import { sanitiseLine } from '../../output/sanitise.ts';

export const chatsSearch = command<{ limit: number }>({
  name: 'chats search',
  group: 'Chat:',
  summary: 'find messages in all conversations',
  details: 'Finds the messages that contain all words, including inside longer words, newest first.',
  examples: ['askd chats search harbour', 'askd chats search "tide table" --json | jq -r .hits[].chat.name'],
  configure: (commander) =>
    void commander
      .argument('<words...>', 'what to look for')
      .option('--limit <count>', 'at most this many', integerBetween(1, 200), 50),
  async run(context, { args, options: { limit } }) {
    const { output } = context;
    const client = await context.connect();
    const { data: hits } = await client.chats.search({ text: args.join(' '), limit });
    output.result({ schema: 'chats-search/1', hits }, () =>
      hits.length === 0
        ? 'No message has all of these words.'
        : hits.map((hit) => shown(hit, output)).join('\n'),
    );
  },
});

function shown({ chat, role, snippet, marks }: ChatHit, { styled, plain }: Context['output']): string {
  const parts: string[] = [];
  let at = 0;
  for (const [from = 0, to = 0] of marks) {
    const found = sanitiseLine(snippet.slice(from, to));
    parts.push(sanitiseLine(snippet.slice(at, from)), styled ? `\u001b[1m${found}\u001b[22m` : found);
    at = to;
  }
  const text = parts.join('') + sanitiseLine(snippet.slice(at));
  return plain ? [chat.name, role, text].join('\t') : `${chat.name} (${role})\n  ${text}`;
}
