import { hubModel } from '../hub-model.ts';

export const bgeRerankerV2M3Q4 = hubModel({
  id: 'bge-reranker-v2-m3-q4',
  name: 'BGE Reranker v2 M3, Q4_K_M',
  why: 'Reranking in the least memory.',
  engine: 'llama',
  tasks: ['rerank'],
  services: ['svc-rerank-v1'],
  tier: 'small',
  licence: 'Apache-2.0',
  contextTokensMax: 8192,
  hub: [
    {
      role: 'model',
      repo: 'gpustack/bge-reranker-v2-m3-GGUF',
      path: 'bge-reranker-v2-m3-Q4_K_M.gguf',
      bytes: 438_376_864,
      sha256: 'e186a244ed455b4ab66ec64339ce7427a6ae13f5c0b5e544de96e50f0f8b3673',
    },
  ],
  verified: {
    files: 'pinned by public projects on GitHub as of November 2026',
    bytes: 'pinned by public projects on GitHub as of November 2026',
    sha256: 'pinned by public projects on GitHub as of November 2026',
    licence: "the model's card at the hub",
    context: "the model's card at the hub",
  },
});
