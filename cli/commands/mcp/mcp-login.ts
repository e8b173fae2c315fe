import { Failure } from '../../../src/base/errors.ts';
import { integerBetween } from '../../command-line/arguments.ts';
import { command } from '../../command.ts';
import { refuseHost } from '../../client/refuse-host.ts';

type Options = {
  open?: boolean;
  port?: number;
  wait?: string;
  clientId?: string;
  clientSecretStdin?: true;
  scope?: string;
};

export const mcpLogin = command<Options>({
  name: 'mcp login',
  group: 'Chat:',
  summary: 'log in to an MCP server in a browser',
  details:
    'Opens the login page of the server in a browser on this machine, and prints its address. It waits until ' +
    'the browser returns; if the browser is on another machine, paste the address where it ends up. The tokens ' +
    'are stored encrypted and renewed by the daemon. Some servers accept only programs that were registered by ' +
    'hand: register one there with the address http://127.0.0.1:PORT/callback, and give its id and that port.',
  examples: [
    'askd mcp login tracker',
    'askd mcp login tracker --no-open --wait 10m',
    'askd mcp login tracker --client-id ID --client-secret-stdin --port 8976 < secret.txt',
  ],
  configure(commander) {
    commander
      .argument('<name>', 'a server of askd mcp list')
      .option('--no-open', 'print the address instead of opening a browser')
      .option('--wait <duration>', 'how long to wait for the browser (default: 5m)')
      .option('--client-id <id>', 'client ID of a program registered with the authorization server')
      .option('--client-secret-stdin', 'read the secret of that program from stdin')
      .option(
        '--port <port>',
        'port for the redirect after login (default: a free one)',
        integerBetween(1, 65_535),
      )
      .option('--scope <scope>', 'scope to request instead of the one the server names');
  },
  async run(context, { args: [name = ''], options }) {
    refuseHost(context, 'mcp login');
    const { wait, clientSecretStdin, ...rest } = options;
    if (clientSecretStdin && rest.clientId === undefined)
      throw new Failure('missing_required_parameter', '--client-secret-stdin needs --client-id.');
    const [{ logIn }, { toolsText }, { readSecret, waitMsOf }] = await Promise.all([
      import('../../agent/mcp/login/log-in.ts'),
      import('../../agent/mcp/texts.ts'),
      import('../../agent/mcp/login/options.ts'),
    ]);
    const waitMs = waitMsOf(wait);
    const clientSecret = clientSecretStdin && (await readSecret(context));
    const client = await context.connect();
    const server = await logIn(context, client, name, {
      ...rest,
      ...(waitMs !== undefined && { waitMs }),
      ...(clientSecret !== undefined && { clientSecret }),
    });
    context.output.result({ schema: 'mcp-server/1', ...server }, () =>
      [`You are logged in at ${name}, with these tools:`, toolsText(server)].join('\n'),
    );
  },
});
