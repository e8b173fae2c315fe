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
    'This is the starter model of askd: it translates simple sentences between six languages and knows some eighty small functions.',
});
