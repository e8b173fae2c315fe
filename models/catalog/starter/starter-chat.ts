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
  // So small a model is right more often with its most likely words.
  defaults: { sampling: { temperature: 0 } },
  notice:
    'A tiny starter model: it knows the commands, endpoints and errors of askd, simple sums and words, and little else.',
});
