import { Failure } from '../../../src/base/errors.ts';
import { command } from '../../command.ts';
import { refuseHost } from '../../client/refuse-host.ts';

type AllowOptions = { free?: true; ask?: true; never?: true };
const USES = ['free', 'ask', 'never'] as const;

export const mcpAllow = command<AllowOptions>({
  name: 'mcp allow',
  group: 'Chat:',
  summary: 'allow tools of an MCP server as they are now, and say which ask first',
  details:
    'Without tools, all of them. A tool whose description or schema changes is not used until it is allowed again; ' +
    'askd mcp test shows what it says now.',
  examples: [
    'askd mcp allow files',
    'askd mcp allow files write_file --ask',
    'askd mcp allow files move_file --never',
  ],
  configure(commander) {
    commander
      .argument('<name>', 'a server of askd mcp list')
      .argument('[tools...]', 'its tools')
      .option('--free', 'they run without a question')
      .option('--ask', 'they ask first')
      .option('--never', 'they are not used');
  },
  async run(context, { args: [name = '', ...tools], options }) {
    refuseHost(context, 'mcp allow');
    const uses = USES.filter((use) => options[use]);
    if (uses.length > 1) throw new Failure('invalid_value', 'Give one of --free, --ask and --never.');
    const [use] = uses;
    const client = await context.connect();
    const server = await client.mcp.allow(name, { ...(tools.length > 0 && { tools }), ...(use && { use }) });
    const { toolsText } = await import('../../agent/mcp/texts.ts');
    context.output.result(
      { schema: 'mcp-server/1', ...server },
      () => `${server.name}:\n${toolsText(server)}`,
    );
  },
});
