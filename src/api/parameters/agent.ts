import type { ParameterPolicy } from './parameter-policy.ts';
import { PROVIDER_PARAMETERS } from './provider.ts';

const chosenByTheAgent = { instead: 'The agent sets it for each step: omit it.' };

export const agentPolicy: ParameterPolicy = {
  withoutEffect: PROVIDER_PARAMETERS,
  refused: {
    max_tokens: { instead: 'Limit the whole run with "budget": {"tokens": 20000}.' },
    messages: { instead: 'Send the question in "query", and "sessionId" to continue a conversation.' },
    temperature: chosenByTheAgent,
    tools: { instead: 'The agent has its own tools; to use others: POST /v1/chat/completions' },
    top_p: chosenByTheAgent,
  },
};
