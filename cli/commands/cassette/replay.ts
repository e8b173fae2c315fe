import { integerBetween, oneOf } from '../../command-line/arguments.ts';
import { command } from '../../command.ts';

type ReplayCommandOptions = { speed?: 'recorded' | 'full'; strict?: true; port?: number };

/** Packages of providers refuse to start without a key. */
const ANY_KEY = 'no-key-needed';

export const replay = command<ReplayCommandOptions>({
  name: 'replay',
  group: 'Setup:',
  summary: 'answer requests from a file made by askd record',
  details:
    'Runs a program whose requests are answered from a cassette, byte for byte, with no model, no daemon and ' +
    'no network. A request that is not in it is a 404 cassette_no_match, which names the closest one and what ' +
    'differs. Equal requests get their answers in the recorded order, then the last one again. Without a ' +
    'program it answers until Ctrl-C.',
  examples: [
    'askd replay test/answers.jsonl -- npm test',
    'askd replay test/answers.jsonl --speed recorded',
    'askd replay test/answers.jsonl --strict --port 12000',
  ],
  configure(commander) {
    commander
      .argument('<file>', 'the cassette')
      .argument('[command...]', 'the program, after --')
      .option('--speed <speed>', 'full or recorded (default: full)', oneOf(['recorded', 'full']))
      .option('--strict', 'give each recorded answer once')
      .option('--port <number>', 'listen on this port (default: a free one)', integerBetween(0, 65_535));
  },
  async run(context, { args: [path = '', ...program], options }) {
    const [{ readCassette }, { openCassetteServer }, { fileAt, serveCassette }] = await Promise.all([
      import('../../../src/client/testing/cassette/file.ts'),
      import('../../../src/client/testing/cassette/server.ts'),
      import('../../tasks/cassette/serve-cassette.ts'),
    ]);
    const file = fileAt(path);
    const server = await openCassetteServer({ file, cassette: readCassette(file), ...options });
    return serveCassette(context, server, { name: 'replay', file, command: program, key: ANY_KEY });
  },
});
