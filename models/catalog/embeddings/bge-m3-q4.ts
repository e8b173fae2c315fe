import { hubModel } from '../hub-model.ts';

export const bgeM3Q4 = hubModel({
  id: 'bge-m3-q4',
  name: 'BGE M3, Q4_K_M',
  why: 'Embeddings in the least memory.',
  engine: 'llama',
  tasks: ['embed'],
  services: ['svc-embed-v1'],
  tier: 'small',
  licence: 'MIT',
  contextTokensMax: 8192,
  embedding: { dimensions: 1024, truncatable: false },
  hub: [{ role: 'model', repo: 'gpustack/bge-m3-GGUF', path: 'bge-m3-Q4_K_M.gguf', bytes: 438_000_000 }],
  verified: {
    files: 'pinned by public projects on GitHub as of November 2026',
    licence: "the model's card at the hub",
    context: "the model's card at the hub",
    dimensions: "the model's card at the hub",
  },
});
