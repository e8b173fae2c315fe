import type { EndedMcpLogin } from '../../../src/api/management/mcp-servers.ts';
import { command } from '../../command.ts';
import { refuseHost } from '../../client/refuse-host.ts';

export const mcpLogout = command({
  name: 'mcp logout',
  group: 'Chat:',
  summary: 'log out of an MCP server and revoke its tokens',
  examples: ['askd mcp logout tracker'],
  configure(commander) {
    commander.argument('<name>', 'a server of askd mcp list');
  },
  async run(context, { args: [name = ''] }) {
    refuseHost(context, 'mcp logout');
    const client = await context.connect();
    const ended = await client.mcp.endLogin(name);
    context.output.result({ schema: 'mcp-logout/1', ...ended }, () => endedText(ended));
  },
});

function endedText({ name, was_active: wasActive, revoked }: EndedMcpLogin): string {
  if (!wasActive) return `You were not logged in at ${name}.`;
  return revoked
    ? `You are logged out of ${name}, and its tokens are revoked.`
    : `You are logged out of ${name}. Its authorization server was not notified: end the access there as well.`;
}
