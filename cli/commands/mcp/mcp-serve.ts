import { command } from '../../command.ts';

export const mcpServe = command({
  name: 'mcp serve',
  group: 'Chat:',
  summary: 'offer what askd can do to other programs, as an MCP server',
  details:
    'For programs that start MCP servers themselves, such as Claude Code, Codex, Claude Desktop, VS Code and ' +
    'Cursor: they talk to it over its standard input and output. It ends when its input ends. The daemon is ' +
    'started when a tool needs it. Programs on other machines use the /mcp address of the daemon with an API ' +
    'key instead.',
  examples: [
    'askd mcp serve',
    'claude mcp add askd -- askd mcp serve',
    'codex mcp add askd -- askd mcp serve',
  ],
  async run(context) {
    const { serveStandardStreams } = await import('../../agent/mcp/serve.ts');
    await serveStandardStreams(context);
  },
});
