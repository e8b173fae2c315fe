import { Failure } from '../../../src/base/errors.ts';
import { command } from '../../command.ts';
import { findKey } from '../../client/find-key.ts';
import { refuseHost } from '../../client/refuse-host.ts';

type AllowOptions = { free?: true; ask?: true; never?: true; key?: string };
const USES = ['free', 'ask', 'never'] as const;

export const mcpAllow = command<AllowOptions>({
  name: 'mcp allow',
  group: 'Chat:',
  summary: 'allow tools of an MCP server as they are now, and set which ask first',
  details:
    'Without names, all of its tools. A tool whose description or schema changes is not used until it is ' +
    'allowed again; askd mcp test shows what it says now. An API key may use no tools until --key gives it ' +
    'some; --never takes them away.',
  examples: [
    'askd mcp allow files',
    'askd mcp allow files write_file --ask',
    'askd mcp allow files move_file --never',
    'askd mcp allow files read_file --key ask_AbC1',
  ],
  configure(commander) {
    commander
      .argument('<name>', 'a server of askd mcp list')
      .argument('[tools...]', 'its tools')
      .option('--free', 'run them without asking')
      .option('--ask', 'ask before each call')
      .option('--never', 'never use them')
      .option('--key <key>', 'let requests with this API key use them: its id, prefix or name');
  },
  async run(context, { args: [name = '', ...tools], options }) {
    refuseHost(context, 'mcp allow');
    const uses = USES.filter((use) => options[use]);
    if (uses.length > 1) throw new Failure('invalid_value', 'Give one of --free, --ask and --never.');
    const [use] = uses;
    const client = await context.connect();
    const { key: wanted } = options;
    if (wanted !== undefined && use !== undefined && use !== 'never')
      throw new Failure('invalid_value', 'With --key, only --never can be given: it takes tools away.');
    const key = wanted === undefined ? undefined : findKey(await client.listKeys(), wanted).id;
    const server = await client.mcp.allow(name, {
      ...(tools.length > 0 && { tools }),
      ...(use && { use }),
      ...(key !== undefined && { key }),
    });
    const { keyText, toolsText } = await import('../../agent/mcp/texts.ts');
    context.output.result({ schema: 'mcp-server/1', ...server }, () =>
      key === undefined ? `${server.name}:\n${toolsText(server)}` : keyText(server, key),
    );
  },
});
