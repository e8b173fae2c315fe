import { collect, integerBetween, oneOf } from '../../command-line/arguments.ts';
import { command } from '../../command.ts';

type RecordCommandOptions = {
  upstream?: string;
  update?: 'new' | 'all';
  ignore?: string[];
  match?: string[];
  port?: number;
};

export const record = command<RecordCommandOptions>({
  name: 'record',
  group: 'Setup:',
  summary: 'record requests and answers to a file',
  details:
    'Runs a program whose requests go through askd, and records them with their answers and timing, but without keys, in ' +
    'a file of JSON lines: a cassette, which askd replay answers from. Requests go to this askd or, with --upstream, to ' +
    'another provider, which gets the keys that the program sends. Without a program it records until Ctrl-C.',
  examples: [
    'askd record test/answers.jsonl -- npm test',
    'askd record test/answers.jsonl --update new -- npm test',
    'askd record test/answers.jsonl --upstream https://api.openai.com/v1 -- npm test',
    'askd record test/answers.jsonl --ignore body.user -- npm test',
    "askd record test/answers.jsonl --match 'body.tools=set' -- npm test",
  ],
  configure(commander) {
    commander
      .argument('<file>', 'the cassette')
      .argument('[command...]', 'the program, after --')
      .option('--upstream <url>', 'another provider, such as https://api.openai.com/v1')
      .option('--update <what>', 'new: add what is not in it; all: record again', oneOf(['new', 'all']))
      .option('--ignore <field>', 'do not compare this field, such as body.user (repeatable)', collect)
      .option('--match <rule>', 'field=set or field=/pattern/: what may differ (repeatable)', collect)
      .option('--port <number>', 'listen on this port (default: a free one)', integerBetween(0, 65_535));
  },
  async run(
    context,
    { args: [path = '', ...program], options: { upstream: address, match: rules = [], ...options } },
  ) {
    const [{ openRecorder, refuseExisting }, { readMatchRules }, { upstreamOf }, { fileAt, serveCassette }] =
      await Promise.all([
        import('../../../src/client/testing/cassette/record.ts'),
        import('../../tasks/cassette/match-rules.ts'),
        import('../../tasks/cassette/upstream.ts'),
        import('../../tasks/cassette/serve-cassette.ts'),
      ]);
    const file = fileAt(path);
    refuseExisting(file, options.update);
    const match = readMatchRules(rules);
    const upstream = await upstreamOf(context, address);
    const server = await openRecorder({ file, upstream, match, ...options });
    return serveCassette(context, server, {
      name: 'record',
      file,
      command: program,
      key: upstream.key?.from,
    });
  },
});
