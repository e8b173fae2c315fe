import type { ParameterPolicy } from './parameter-policy.ts';
import { LOCAL_REJECTED, LOCAL_WITHOUT_EFFECT } from './local-servers.ts';
import { PROVIDER_PARAMETERS } from './provider.ts';

export const chatPolicy: ParameterPolicy = {
  withoutEffect: [
    ...PROVIDER_PARAMETERS,
    ...LOCAL_WITHOUT_EFFECT,
    'messages[].annotations',
    'messages[].cache_control',
    'messages[].content[].cache_control',
    'messages[].content[].image_url.detail',
    'messages[].reasoning_details',
    'messages[].tool_calls[].index',
    'models',
    'prediction',
    'provider',
    'route',
    'tools[].cache_control',
    'transforms',
    'verbosity',
  ],
  refused: {
    ...LOCAL_REJECTED,
    audio: { instead: 'Send the answer to POST /v1/audio/speech.' },
    function_call: { instead: 'Send "tool_choice".', except: ['none'] },
    functions: { instead: 'Send "tools".', except: [[]] },
    'messages[].audio': { instead: 'Send the text in "content".' },
    'messages[].content[].file.file_id': { instead: 'Send the file itself in "file_data".' },
    'messages[].content[].input_audio': {
      instead: 'Transcribe it with POST /v1/audio/transcriptions, and send the text.',
    },
    'messages[].function_call': { instead: 'Send "tool_calls", and the result with the role "tool".' },
    modalities: { instead: 'Answers are always text: omit it.', except: [['text']] },
    plugins: { instead: 'Use the agent, which searches the web: POST /v1/agent/run', except: [[]] },
    reasoning_format: {
      instead: 'Reasoning is returned in "reasoning_content".',
      except: ['auto', 'deepseek'],
    },
    web_search_options: { instead: 'Use the agent, which searches the web: POST /v1/agent/run' },
  },
};
