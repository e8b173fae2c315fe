import type { ParameterPolicy } from '../parameter-policy.ts';
import { PROVIDER_PARAMETERS } from './provider.ts';

export const responsesPolicy: ParameterPolicy = {
  withoutEffect: [
    ...PROVIDER_PARAMETERS.filter((name) => name !== 'store' && name !== 'metadata'),
    'include',
    'input[].content[].detail',
    'input[].phase',
    'reasoning.summary',
    'stream_options',
    'text.verbosity',
    'truncation',
  ],
  refused: {
    conversation: { instead: 'Send the whole conversation in "input".' },
    previous_response_id: { instead: 'Send the whole conversation in "input".' },
    background: { instead: 'Leave it out, and read the answer as a stream.', except: [false] },
    prompt: { instead: 'Send the text of the prompt in "instructions" and "input".' },
  },
};
