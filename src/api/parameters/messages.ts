import type { ParameterPolicy } from '../parameter-policy.ts';
import { PROVIDER_PARAMETERS } from './provider.ts';

export const messagesPolicy: ParameterPolicy = {
  withoutEffect: [
    ...PROVIDER_PARAMETERS,
    'cache_control',
    'container',
    'context_management',
    'messages[].content[].cache_control',
    'messages[].content[].caller',
    'messages[].content[].content[].cache_control',
    'system[].cache_control',
    'thinking.display',
    'tools[].cache_control',
    'tools[].defer_loading',
    'tools[].eager_input_streaming',
  ],
  refused: {
    mcp_servers: {
      instead: 'Connect the servers to your client, and send their tools in "tools".',
      except: [[]],
    },
  },
};
