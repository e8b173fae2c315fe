import type { ParameterPolicy } from './parameter-policy.ts';
import { LOCAL_REJECTED, LOCAL_WITHOUT_EFFECT } from './local-servers.ts';
import { PROVIDER_PARAMETERS } from './provider.ts';

export const completionsPolicy: ParameterPolicy = {
  withoutEffect: [...PROVIDER_PARAMETERS, ...LOCAL_WITHOUT_EFFECT, 'provider'],
  refused: {
    ...LOCAL_REJECTED,
    messages: { instead: 'Send conversations to POST /v1/chat/completions.' },
    prompt_logprobs: {
      instead: 'Only generated tokens have log probabilities: use "logprobs".',
      except: [0],
    },
    tools: { instead: 'Send tools to POST /v1/chat/completions.', except: [[]] },
  },
};
