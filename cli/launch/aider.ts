import type { Client } from './client.ts';

export const aider: Client = {
  name: 'aider',
  title: 'Aider',
  program: 'aider',
  install: 'python -m pip install aider-install && aider-install',
  contextTokensMin: 8192,
  launch: ({ baseUrl, key, model }) => ({
    args: ['--model', `openai/${model}`, '--no-show-model-warnings'],
    env: { OPENAI_API_BASE: baseUrl, OPENAI_API_KEY: key },
  }),
};
