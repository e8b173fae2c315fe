import type { ParameterPolicy } from './parameter-policy.ts';
import { PROVIDER_PARAMETERS } from './provider.ts';

/** The values that askd honours. */
const HONOURED = ['metadata', 'store'];

export const responsesPolicy: ParameterPolicy = {
  withoutEffect: [
    ...PROVIDER_PARAMETERS.filter((name) => !HONOURED.includes(name)),
    'input[].content[].annotations',
    'input[].content[].detail',
    'input[].content[].logprobs',
    'input[].output[].detail',
    'input[].phase',
    'input[].status',
    'max_tool_calls',
    'reasoning.generate_summary',
    'stream_options',
    'text.verbosity',
    'tools[].ranking_options.ranker',
    'truncation',
  ],
  refused: {
    background: { instead: 'Omit it and stream the answer.', except: [false] },
    'input[].content[].file_id': { instead: 'Send the file itself in "file_data".' },
    'input[].output[].file_id': { instead: 'Send the file itself in "file_data".' },
    prompt: { instead: 'Send the text of the prompt in "instructions" and "input".' },
  },
};
