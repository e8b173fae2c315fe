/** The clients that are checked, each with the exact versions of the packages that it is installed from. */
export type Pin = { client: string; packages: Readonly<Record<string, string>> };

const AI = { ai: '6.0.326', zod: '4.6.7' };

export const AGENTS: readonly Pin[] = [
  { client: 'claude', packages: { '@anthropic-ai/claude-code': '2.1.197' } },
  { client: 'codex', packages: { '@openai/codex': '0.169.0' } },
  { client: 'opencode', packages: { 'opencode-ai': '1.18.33' } },
  { client: 'cn', packages: { '@continuedev/cli': '1.5.47' } },
];

/** Each has a file of the same name in `probes`. */
export const LIBRARIES: readonly Pin[] = [
  { client: 'openai', packages: { openai: '7.57.0', zod: '4.6.7' } },
  { client: 'anthropic', packages: { '@anthropic-ai/sdk': '1.12.0', zod: '4.6.7' } },
  {
    client: 'ai',
    packages: {
      ...AI,
      '@ai-sdk/openai': '3.0.141',
      '@ai-sdk/openai-compatible': '2.0.87',
      '@ai-sdk/anthropic': '3.0.140',
    },
  },
  {
    client: 'langchain',
    packages: { '@langchain/openai': '1.6.0', '@langchain/core': '1.4.0', zod: '4.6.7' },
  },
  { client: 'llamaindex', packages: { llamaindex: '0.12.1', '@llamaindex/openai': '0.4.23' } },
  { client: 'openai-agents', packages: { '@openai/agents': '0.20.0', zod: '4.6.7' } },
  { client: 'cohere', packages: { 'cohere-ai': '8.1.0' } },
  { client: 'huggingface', packages: { '@huggingface/inference': '4.13.30' } },
  { client: 'ollama', packages: { ollama: '0.6.4' } },
];

/** The inspector tests askd as an MCP server; of the others, askd uses the tools. */
export const INSPECTOR: Pin = {
  client: 'inspector',
  packages: { '@modelcontextprotocol/inspector': '2.12.0' },
};
export const SERVERS: readonly Pin[] = ['filesystem', 'everything', 'memory'].map((name) => ({
  client: `server-${name}`,
  packages: { [`@modelcontextprotocol/server-${name}`]: '2026.8.31' },
}));
