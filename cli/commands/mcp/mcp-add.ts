import type { InspectedMcpServer } from '../../../src/api/management/mcp-servers.ts';
import type { Client } from '../../client/client.ts';
import { collect } from '../../command-line/arguments.ts';
import { command } from '../../command.ts';
import type { Context } from '../../context.ts';
import { refuseHost } from '../../client/refuse-host.ts';

type AddOptions = { url?: string; env?: string[]; header?: string[]; tokenStdin?: true };

export const mcpAdd = command<AddOptions>({
  name: 'mcp add',
  group: 'Chat:',
  summary: 'let models use the tools of an MCP server',
  details:
    'The server is a program, which the daemon starts when a tool is used, or an address. It must answer now: ' +
    'its tools are allowed as they are. Tools that it marks as read-only run without asking, the others ask ' +
    'first; askd mcp allow changes that. The program gets PATH, HOME and the like, and the variables given ' +
    'with --env: NAME=VALUE, or NAME to pass on its value here. What --env, --header and --token-stdin give is ' +
    'stored encrypted. A server that requires a login is added without its tools, and on a terminal you are ' +
    'sent to log in; elsewhere askd mcp login does that.',
  examples: [
    'askd mcp add files -- npx -y @modelcontextprotocol/server-filesystem ~/notes',
    'askd mcp add issues --env TRACKER_TOKEN -- npx -y tracker-mcp',
    'askd mcp add search --url https://mcp.example.com/mcp --token-stdin < token.txt',
  ],
  configure(commander) {
    commander
      .argument('<name>', 'name to give it here')
      .argument('[command...]', 'after --: the program and its arguments')
      .option('--url <address>', 'a server that is reached over HTTP')
      .option('--env <variable>', 'a variable for the program: NAME=VALUE, or NAME; repeatable', collect)
      .option('--header <line>', 'a header for each request: "Name: value"; repeatable', collect)
      .option('--token-stdin', 'read a bearer token for the server from stdin');
  },
  async run(context, { args: [name = '', ...words], options }) {
    refuseHost(context, 'mcp add');
    const [{ toRequest }, { toolsText }] = await Promise.all([
      import('../../agent/mcp/request.ts'),
      import('../../agent/mcp/texts.ts'),
    ]);
    const request = await toRequest(context, { name, words, ...options });
    const client = await context.connect();
    const added = await client.mcp.add(request);
    const { io, output } = context;
    const isWaiting = added.login === 'needed';
    if (isWaiting) output.note(`${name} is added. It requires a login.`);
    const canLogIn = isWaiting && io.stdin.isTTY && io.stderr.isTTY && !output.json;
    const server = canLogIn ? await loggedIn(context, client, name) : added;
    output.result({ schema: 'mcp-server/1', ...server }, () =>
      server.login === 'needed'
        ? `To log in and allow its tools: askd mcp login ${name}`
        : [`${name} is ready, with these tools:`, toolsText(server), `Try: askd chat --mcp ${name}`].join(
            '\n',
          ),
    );
  },
});

async function loggedIn(context: Context, client: Client, name: string): Promise<InspectedMcpServer> {
  const { logIn } = await import('../../agent/mcp/login/log-in.ts');
  return logIn(context, client, name, {});
}
