import { collect } from '../../command-line/arguments.ts';
import { command } from '../../command.ts';
import { refuseHost } from '../../client/refuse-host.ts';

type AddOptions = { url?: string; env?: string[]; header?: string[]; tokenStdin?: true };

export const mcpAdd = command<AddOptions>({
  name: 'mcp add',
  group: 'Chat:',
  summary: 'let models use the tools of an MCP server',
  details:
    'The server is a program, which the daemon starts when a tool is used, or an address. It must answer now: its tools ' +
    'are allowed as they are. Tools that it calls read-only run without a question, the others ask first; askd mcp allow ' +
    'changes that. The program gets PATH, HOME and the like, and the variables of --env: NAME=VALUE, or NAME for the ' +
    'value that it has here. What --env, --header and --token-stdin give is stored encrypted.',
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
    const server = await client.mcp.add(request);
    context.output.result({ schema: 'mcp-server/1', ...server }, () =>
      [
        `${server.name} is ready, with these tools:`,
        toolsText(server),
        `Try: askd chat --mcp ${server.name}`,
      ].join('\n'),
    );
  },
});
