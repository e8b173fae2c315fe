import { hubModel } from '../hub-model.ts';

export const bgeRerankerV2M3 = hubModel({
  id: 'bge-reranker-v2-m3',
  name: 'BGE Reranker v2 M3, Q8_0',
  why: 'The reranker of bge-reranker-v2-m3-q4 with 8-bit weights.',
  engine: 'llama',
  tasks: ['rerank'],
  services: ['svc-rerank-v1'],
  tier: 'standard',
  licence: 'Apache-2.0',
  contextTokensMax: 8192,
  hub: [
    {
      role: 'model',
      repo: 'gpustack/bge-reranker-v2-m3-GGUF',
      path: 'bge-reranker-v2-m3-Q8_0.gguf',
      bytes: 635_676_416,
      sha256: 'a43c7c9b11a4c1517e5bf95151960e1621d1b72f7a493364b01e386cf1aaa1d3',
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
