import { command } from '../../command.ts';
import { refuseHost } from '../../client/refuse-host.ts';

export const mcpShow = command({
  name: 'mcp show',
  group: 'Chat:',
  summary: 'show an MCP server and which of its tools are allowed',
  examples: ['askd mcp show files', 'askd mcp show files --json'],
  configure(commander) {
    commander.argument('<name>', 'a server of askd mcp list');
  },
  async run(context, { args: [name = ''] }) {
    refuseHost(context, 'mcp show');
    const client = await context.connect();
    const [server, { loginText, placeText }] = await Promise.all([
      client.mcp.show(name),
      import('../../agent/mcp/texts.ts'),
    ]);
    const names = (use: string) => server.tools.filter((tool) => tool.use === use).map((tool) => tool.name);
    const rows = [
      ['server', placeText(server)],
      ['folder', server.cwd ?? ''],
      ['variables', server.env.join(', ')],
      ['headers', server.headers.join(', ')],
      ['login', loginText(server)],
      ['no question', names('free').join(', ')],
      ['asks first', names('ask').join(', ')],
      ['not allowed', names('never').join(', ')],
      ...server.keys.map(({ key, tools }) => ['for a key', `${key}: ${tools.join(', ')}`]),
    ];
    context.output.result({ schema: 'mcp-server/1', ...server }, () =>
      [
        server.name,
        ...rows.filter(([, value]) => value).map(([title = '', value]) => `  ${title.padEnd(12)} ${value}`),
      ].join('\n'),
    );
  },
});
