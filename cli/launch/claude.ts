import type { Client } from './client.ts';

export const claude: Client = {
  name: 'claude',
  title: 'Claude Code',
  program: 'claude',
  install: 'npm install -g @anthropic-ai/claude-code',
  contextTokensMin: 32_768,
  certificates: 'NODE_EXTRA_CA_CERTS',
  launch: ({ rootUrl, key, model }) => ({
    args: [],
    env: {
      ANTHROPIC_BASE_URL: rootUrl,
      ANTHROPIC_AUTH_TOKEN: key,
      ANTHROPIC_MODEL: model,
      // It uses a smaller model for titles and summaries; here there is only one.
      ANTHROPIC_SMALL_FAST_MODEL: model,
      ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
      ANTHROPIC_DEFAULT_SONNET_MODEL: model,
      ANTHROPIC_DEFAULT_OPUS_MODEL: model,
      CLAUDE_CODE_SUBAGENT_MODEL: model,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      // A local model may take minutes to prefill a long prompt for the first time.
      API_TIMEOUT_MS: '1800000',
    },
    without: ['ANTHROPIC_API_KEY'],
  }),
};
