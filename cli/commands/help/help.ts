import { Failure } from '../../../src/base/errors.ts';
import { command, type Invocation } from '../../command.ts';
import { HELP_TOPICS } from '../../help/topics.ts';

type Commander = Invocation<object>['commander'];

export const help = command({
  name: 'help',
  group: 'Help:',
  summary: 'show help for a command or a topic',
  details: `Topics: ${Object.keys(HELP_TOPICS).join(', ')}.`,
  examples: ['askd help chat', 'askd help keys create', 'askd help exit-codes'],
  configure: (commander) => void commander.argument('[topic...]', 'a command or a topic'),
  async run({ output }, { args, commander }) {
    const topic = HELP_TOPICS[args.join(' ')];
    output.write(
      topic ? `${await topic(commander.parent ?? commander)}\n` : helpOf(args, commander.parent ?? commander),
    );
  },
});

function helpOf(words: readonly string[], program: Commander): string {
  let commander = program;
  for (const word of words) {
    const next = commander.commands.find((each) => each.name() === word || each.aliases().includes(word));
    if (next === undefined)
      throw new Failure('not_found', `There is no help for "${words.join(' ')}".`, {
        details: { fix: 'askd help' },
      });
    commander = next;
  }
  commander.outputHelp();
  return '';
}
