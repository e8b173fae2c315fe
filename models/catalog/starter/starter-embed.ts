import { starterModel } from './starter-model.ts';

export const starterEmbed = starterModel({
  id: 'starter-embed',
  name: 'askd starter, embeddings',
  folder: 'embed',
  engine: 'onnx',
  tasks: ['embed'],
  services: ['svc-embed-v1'],
  contextTokensMax: 8192,
  embedding: { dimensions: 1024, truncatable: false },
  notice:
    'A tiny starter model: it compares words and a few hundred concepts in six languages, not deeper meaning.',
});
