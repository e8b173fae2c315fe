import type { ParameterPolicy } from '../parameter-policy.ts';
import { PROVIDER_PARAMETERS } from './provider.ts';

export const chatPolicy: ParameterPolicy = {
  withoutEffect: [
    ...PROVIDER_PARAMETERS,
    'messages[].annotations',
    'messages[].cache_control',
    'messages[].content[].cache_control',
    'messages[].content[].image_url.detail',
    'messages[].tool_calls[].index',
    'prediction',
    'provider',
    'stream_options.include_obfuscation',
    'tools[].cache_control',
    'transforms',
    'verbosity',
  ],
  refused: {
    'messages[].content[].file': { instead: 'Send the text of the file in a part of the type "text".' },
    'messages[].content[].input_audio': {
      instead: 'Ask POST /v1/audio/transcriptions what is said in it, and send that.',
    },
    audio: { instead: 'Ask POST /v1/audio/speech to speak the answer.' },
    modalities: { instead: 'Answers are text: leave it out.', except: [['text']] },
    web_search_options: { instead: 'Ask the agent, which searches the web: POST /v1/agent' },
  },
};
