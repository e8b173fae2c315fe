import { command } from '../../command.ts';
import { refuseHost } from '../../client/refuse-host.ts';

export const mcpTest = command({
  name: 'mcp test',
  group: 'Chat:',
  summary: 'start an MCP server and show what it offers now',
  examples: ['askd mcp test files', 'askd mcp test files --json'],
  configure(commander) {
    commander.argument('<name>', 'a server of askd mcp list');
  },
  async run(context, { args: [name = ''] }) {
    refuseHost(context, 'mcp test');
    const client = await context.connect();
    const [server, { toolsText }] = await Promise.all([
      client.mcp.test(name),
      import('../../agent/mcp/texts.ts'),
    ]);
    context.output.result(
      { schema: 'mcp-server/1', ...server },
      () => `${server.name} answers:\n${toolsText(server)}`,
    );
  },
});
