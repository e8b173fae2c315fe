import { starterModel } from './starter-model.ts';

export const starterChat = starterModel({
  id: 'starter-chat',
  name: 'askd starter, chat',
  folder: 'chat',
  file: 'starter-chat.gguf',
  engine: 'llama',
  tasks: ['chat'],
  services: ['svc-chat-v1'],
  contextTokensMax: 2048,
  notice:
    'This is the starter model of askd: it knows the commands, endpoints and errors of askd, small sums and words, and little else.',
});
