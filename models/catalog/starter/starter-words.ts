import { starterModel } from './starter-model.ts';

export const starterWords = starterModel({
  id: 'starter-words',
  name: 'askd starter, words',
  folder: 'words',
  file: 'starter-words.gguf',
  engine: 'llama',
  tasks: ['chat', 'translate'],
  services: ['svc-code-v1', 'svc-translate-v1'],
  contextTokensMax: 2048,
  notice:
    'A tiny starter model: it translates simple sentences between six languages and completes about eighty small functions.',
});
