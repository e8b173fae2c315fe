import type { ParameterPolicy } from './parameter-policy.ts';
import { PROVIDER_PARAMETERS } from './provider.ts';

const chosenByTheAgent = { instead: 'The agent chooses it for each of its steps: leave it out.' };

export const agentPolicy: ParameterPolicy = {
  withoutEffect: PROVIDER_PARAMETERS,
  refused: {
    max_tokens: { instead: 'Bound the whole run with "budget": {"tokens": 20000}.' },
    messages: { instead: 'Send the question in "query", and "sessionId" to go on with a conversation.' },
    temperature: chosenByTheAgent,
    tools: { instead: 'The agent has tools of its own; to offer others: POST /v1/chat/completions' },
    top_p: chosenByTheAgent,
  },
};
