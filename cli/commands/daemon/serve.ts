import { integerBetween } from '../../command-line/arguments.ts';
import { command } from '../../command.ts';

type ServeOptions = { host?: string; port?: number; insecureHttp?: true; offline?: true };

export const serve = command<ServeOptions>({
  name: 'serve',
  group: 'Daemon:',
  summary: 'run the daemon in the foreground',
  details: 'For service managers and containers. Ctrl-C stops it after the replies in progress.',
  examples: ['askd serve', 'askd serve --port 12000', 'askd serve --host 0.0.0.0 --insecure-http'],
  configure(commander) {
    commander
      .option('--host <address>', 'listen on this address')
      .option('--port <number>', 'listen on this port; 0 picks a free one', integerBetween(0, 65_535))
      .option('--insecure-http', 'allow an address that others can reach, without TLS')
      .option('--offline', 'never use the network for models');
  },
  async run({ environment }, { options }) {
    const { runDaemon } = await import('../../daemon-control/foreground.ts');
    return runDaemon(daemonFlags(options), environment.env);
  },
});

function daemonFlags({ host, port, insecureHttp, offline }: ServeOptions): string[] {
  return [
    ...(host === undefined ? [] : ['--host', host]),
    ...(port === undefined ? [] : ['--port', String(port)]),
    ...(insecureHttp ? ['--insecure-http'] : []),
    ...(offline ? ['--offline'] : []),
  ];
}
