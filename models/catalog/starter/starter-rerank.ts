import { starterModel } from './starter-model.ts';

export const starterRerank = starterModel({
  id: 'starter-rerank',
  name: 'askd starter, reranking',
  folder: 'rerank',
  engine: 'onnx',
  tasks: ['rerank'],
  services: ['svc-rerank-v1'],
  contextTokensMax: 1024,
  notice: 'A tiny starter model: it ranks short English texts about plain facts.',
});
