import { collect, integerBetween } from '../../command-line/arguments.ts';
import { command } from '../../command.ts';
import { sanitise, sanitiseLine } from '../../output/sanitise.ts';

const EXCERPT = 240;

export const docsSearch = command<{ collection?: string[]; limit: number }>({
  name: 'docs search',
  group: 'Chat:',
  summary: 'find passages in the local documents',
  examples: [
    'askd docs search "backup schedule"',
    'askd docs search "tax" --collection notes --limit 3 --json',
  ],
  configure(commander) {
    commander
      .argument('<words...>', 'search terms')
      .option('--collection <name>', 'search only this collection; repeatable', collect)
      .option('--limit <count>', 'maximum number of passages', integerBetween(1, 50), 8);
  },
  async run({ connect, output }, { args, options: { collection: collections, limit } }) {
    const client = await connect();
    const { data } = await client.agent.docs.search({
      query: args.join(' '),
      limit,
      ...(collections && { collections }),
    });
    output.result({ schema: 'docs-search/1', passages: data }, () =>
      data.length === 0
        ? 'No matches.'
        : data
            .map(({ path, title, heading, page, text }) => {
              const where = [heading || title, page === null ? '' : `page ${page}`]
                .filter(Boolean)
                .join(', ');
              const excerpt = sanitise(text.replace(/\s+/g, ' ').slice(0, EXCERPT));
              return `${sanitiseLine(path)} (${sanitiseLine(where)})\n  ${excerpt}`;
            })
            .join('\n\n'),
    );
  },
});
