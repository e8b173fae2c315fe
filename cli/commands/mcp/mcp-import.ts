import { command } from '../../command.ts';
import { refuseHost } from '../../client/refuse-host.ts';

const EXIT_SOME_FAILED = 1;

export const mcpImport = command({
  name: 'mcp import',
  group: 'Chat:',
  summary: 'add the MCP servers of another program from its configuration file',
  details:
    'Reads the files of Claude Desktop, Claude Code, Cursor and VS Code. Each server is started once, so that its tools ' +
    'are known; one that fails is named, and the others are added.',
  examples: ['askd mcp import ~/.cursor/mcp.json', 'askd mcp import .mcp.json --json'],
  configure(commander) {
    commander.argument('<file>', 'the configuration file');
  },
  async run(context, { args: [file = ''] }) {
    refuseHost(context, 'mcp import');
    const [{ readServersFile }, { importServers, importedText }] = await Promise.all([
      import('../../agent/mcp/read-file.ts'),
      import('../../agent/mcp/import.ts'),
    ]);
    const wanted = readServersFile(file);
    const results = await importServers(await context.connect(), wanted);
    context.output.result({ schema: 'mcp-import/1', servers: results }, () => importedText(results));
    return results.every(({ error }) => error === undefined) ? undefined : EXIT_SOME_FAILED;
  },
});
