import { command } from '../../command.ts';
import { refuseHost } from '../../client/refuse-host.ts';

export const mcpRemove = command({
  name: 'mcp rm',
  group: 'Chat:',
  summary: 'stop and remove an MCP server',
  examples: ['askd mcp rm files'],
  configure(commander) {
    commander.argument('<name>', 'a server of askd mcp list');
  },
  async run(context, { args: [name = ''] }) {
    refuseHost(context, 'mcp rm');
    const client = await context.connect();
    const removed = await client.mcp.remove(name);
    context.output.result({ schema: 'mcp-server-removed/1', ...removed }, () => `${name} is removed.`);
  },
});
