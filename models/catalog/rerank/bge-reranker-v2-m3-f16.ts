import { hubModel } from '../hub-model.ts';

export const bgeRerankerV2M3F16 = hubModel({
  id: 'bge-reranker-v2-m3-f16',
  name: 'BGE Reranker v2 M3, FP16',
  why: 'The reranker of bge-reranker-v2-m3-q4 with 16-bit weights.',
  engine: 'llama',
  tasks: ['rerank'],
  services: ['svc-rerank-v1'],
  tier: 'large',
  licence: 'Apache-2.0',
  contextTokensMax: 8192,
  hub: [
    {
      role: 'model',
      repo: 'gpustack/bge-reranker-v2-m3-GGUF',
      path: 'bge-reranker-v2-m3-FP16.gguf',
      bytes: 1_160_000_000,
    },
  ],
  verified: {
    files: "the model's card at the hub",
    licence: "the model's card at the hub",
    context: "the model's card at the hub",
  },
});
