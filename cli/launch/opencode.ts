import type { Client } from './client.ts';

const OUTPUT_SHARE = 4;

/** It merges configuration from the environment into the user's own. */
export const opencode: Client = {
  name: 'opencode',
  title: 'opencode',
  program: 'opencode',
  install: 'npm install -g opencode-ai',
  contextTokensMin: 16_384,
  certificates: 'NODE_EXTRA_CA_CERTS',
  launch({ baseUrl, key, model, contextTokens }) {
    const output = Math.min(32_000, Math.floor(contextTokens / OUTPUT_SHARE));
    const models = { [model]: { name: model, tool_call: true, limit: { context: contextTokens, output } } };
    const options = { baseURL: baseUrl, apiKey: key };
    const provider = { askd: { npm: '@ai-sdk/openai-compatible', name: 'askd', options, models } };
    const chosen = `askd/${model}`;
    const config = { provider, model: chosen, small_model: chosen };
    return { args: [], env: { OPENCODE_CONFIG_CONTENT: JSON.stringify(config) } };
  },
};
