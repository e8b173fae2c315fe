import type { McpServer } from '../../../src/api/management/mcp-servers.ts';
import { command } from '../../command.ts';
import { refuseHost } from '../../client/refuse-host.ts';
import { renderTable } from '../../output/table.ts';

export const mcpList = command({
  name: 'mcp list',
  group: 'Chat:',
  summary: 'list the MCP servers',
  examples: ['askd mcp list', 'askd mcp list --json'],
  async run(context) {
    refuseHost(context, 'mcp list');
    const client = await context.connect();
    const [{ data }, { placeText }] = await Promise.all([
      client.mcp.list(),
      import('../../agent/mcp/texts.ts'),
    ]);
    context.output.result({ schema: 'mcp-servers/1', servers: data }, () =>
      data.length === 0
        ? 'There are no MCP servers. Add one: askd mcp add --help'
        : renderTable(
            data,
            [
              { title: 'NAME', value: ({ name }) => name },
              {
                title: 'TOOLS',
                value: ({ tools }) => String(tools.filter(({ use }) => use !== 'never').length),
                align: 'right',
              },
              ...(data.some(({ login }) => login !== 'none')
                ? [{ title: 'LOGIN', value: ({ login }: McpServer) => (login === 'none' ? '' : login) }]
                : []),
              { title: 'SERVER', value: placeText, shrinks: true },
            ],
            context.output,
          ),
    );
  },
});
