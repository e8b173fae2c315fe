import { binFile } from '../../src/base/paths.ts';

/** What the user of an agent requests; at the end it repeats what askd's tool answered. */
export const ERRAND = 'Ask askd what it says.';
export const ANSWERED = 'It said: pong from a local model.';

const TOOL = 'mcp__askd__chat';

/** The agent's model calls askd's tool, which asks the same model; and the tools of other servers. */
export const answersOf = (notes: string) => ({
  rules: [
    {
      when: { message: 'Use filesystem.', tool_result: false },
      answer: callOf('filesystem__read_text_file', { path: notes }),
    },
    {
      when: { message: 'Use everything.', tool_result: false },
      answer: callOf('everything__echo', { message: 'hello' }),
    },
    { when: { message: 'Use memory.', tool_result: false }, answer: callOf('memory__read_graph', {}) },
    { when: { contains: 'Use ' }, answer: { text: 'It is done.' } },
    { when: { message: 'ping' }, answer: { text: 'pong from a local model' } },
    { when: { tool_result: 'pong' }, answer: { text: ANSWERED } },
    {
      when: { contains: ERRAND, tool_result: false },
      answer: callOf(TOOL, { prompt: 'ping', model: 'scripted' }),
    },
  ],
});

function callOf(name: string, args: object) {
  return { tool_calls: [{ name, arguments: args }] };
}

type Place = { baseUrl: string; key: string; home: string };

/** The arguments with which an agent uses askd as an MCP server: one that it starts itself, and one over HTTP. */
export const AS_SERVER: Readonly<
  Record<string, (place: Place) => { started: string[]; overHttp: string[] }>
> = {
  claude({ baseUrl, key, home }) {
    const command = { command: process.execPath, args: SERVE, env: { ASKD_HOME: home } };
    const address = { type: 'http', url: mcpOf(baseUrl), headers: { Authorization: `Bearer ${key}` } };
    const asking = (server: object) => [
      ...['-p', ERRAND, '--allowedTools', TOOL],
      ...['--mcp-config', JSON.stringify({ mcpServers: { askd: server } })],
    ];
    return { started: asking(command), overHttp: asking(address) };
  },
  codex({ baseUrl, home }) {
    const args = `[${SERVE.map(quoted).join(', ')}]`;
    const command = `{ command = ${quoted(process.execPath)}, args = ${args}, env = { ASKD_HOME = ${quoted(home)} } }`;
    // The key is the one that askd launch gave to Codex.
    const address = `{ url = ${quoted(mcpOf(baseUrl))}, bearer_token_env_var = "ASKD_API_KEY" }`;
    const asking = (server: string) => [
      ...['exec', '--skip-git-repo-check', '-c', `mcp_servers.askd=${server}`, ERRAND],
    ];
    return { started: asking(command), overHttp: asking(address) };
  },
};

export const SERVE = [binFile('askd.js'), 'mcp', 'serve'];
export const mcpOf = (baseUrl: string) => baseUrl.replace(/\/v1$/, '/mcp');

/** A JSON string is also a TOML basic string. */
const quoted = (text: string) => JSON.stringify(text);
