import { Failure } from '../../../src/base/errors.ts';
import { integerBetween } from '../../command-line/arguments.ts';
import { command } from '../../command.ts';

type ServeOptions = { host?: string; port?: number; insecureHttp?: true; offline?: true; test?: true };

export const serve = command<ServeOptions>({
  name: 'serve',
  group: 'Daemon:',
  summary: 'run the daemon in the foreground',
  details:
    'For service managers and containers. Ctrl-C stops it after the replies in progress. With --test it is a ' +
    'daemon for tests, with its own home, port and test key, and a clock that tests can move. A command after ' +
    '-- finds them in its environment (OPENAI_BASE_URL, OPENAI_API_KEY and the like). When the command ends, ' +
    'all of it is deleted, and askd exits with its exit code. ASKD_SCRIPTED_ANSWERS names a file of scripted ' +
    'answers.',
  examples: [
    'askd serve',
    'askd serve --port 12000',
    'askd serve --host 0.0.0.0 --insecure-http',
    'askd serve --test -- pytest',
  ],
  configure(commander) {
    commander
      .argument('[command...]', 'with --test: what runs the tests, after --')
      .option('--host <address>', 'listen on this address')
      .option('--port <number>', 'listen on this port; 0 picks a free one', integerBetween(0, 65_535))
      .option('--insecure-http', 'allow an address that others can reach, without TLS')
      .option('--offline', 'never use the network for models')
      .option('--test', 'a daemon for tests, which keeps nothing');
  },
  async run(context, { args, options }) {
    const { environment } = context;
    if (options.test) {
      const { serveTests } = await import('../../daemon-control/serve-tests.ts');
      return serveTests(context, args, daemonFlags(options));
    }
    if (args.length > 0) throw needsTest();
    const { runDaemon } = await import('../../daemon-control/foreground.ts');
    return runDaemon(daemonFlags(options), environment.env);
  },
});

function needsTest(): Failure {
  return new Failure('invalid_value', 'Only a daemon for tests runs a command: askd serve --test -- COMMAND');
}

function daemonFlags({ host, port, insecureHttp, offline }: ServeOptions): string[] {
  return [
    ...(host === undefined ? [] : ['--host', host]),
    ...(port === undefined ? [] : ['--port', String(port)]),
    ...(insecureHttp ? ['--insecure-http'] : []),
    ...(offline ? ['--offline'] : []),
  ];
}
