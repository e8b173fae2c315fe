import type { Client } from './client.ts';

/** Its settings are passed as TOML arguments; the user's own configuration is untouched. */
export const codex: Client = {
  name: 'codex',
  title: 'Codex',
  program: 'codex',
  install: 'npm install -g @openai/codex',
  contextTokensMin: 16_384,
  certificates: 'CODEX_CA_CERTIFICATE',
  launch({ baseUrl, key, model, contextTokens }) {
    const provider = `{ name = "askd", base_url = ${quoted(baseUrl)}, env_key = "ASKD_API_KEY", wire_api = "responses", stream_idle_timeout_ms = 1800000 }`;
    const settings = [
      `model=${quoted(model)}`,
      'model_provider="askd"',
      `model_providers.askd=${provider}`,
      `model_context_window=${contextTokens}`,
    ];
    return { args: settings.flatMap((setting) => ['-c', setting]), env: { ASKD_API_KEY: key } };
  },
};

/** A JSON string is also a TOML basic string. */
function quoted(text: string): string {
  return JSON.stringify(text);
}
