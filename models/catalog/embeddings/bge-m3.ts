import { hubModel } from '../hub-model.ts';

export const bgeM3 = hubModel({
  id: 'bge-m3',
  name: 'BGE M3, Q8_0',
  why: 'The embeddings of bge-m3-q4 with 8-bit weights.',
  engine: 'llama',
  tasks: ['embed'],
  services: ['svc-embed-v1'],
  tier: 'standard',
  licence: 'MIT',
  contextTokensMax: 8192,
  embedding: { dimensions: 1024, truncatable: false },
  hub: [
    {
      role: 'model',
      repo: 'ggml-org/bge-m3-Q8_0-GGUF',
      path: 'bge-m3-q8_0.gguf',
      bytes: 634_553_760,
      sha256: 'aa473d51f451a22f0fcf39ba3330c14bed38a385712b1113440f69df4047a173',
    },
  ],
  verified: {
    files: 'pinned by public projects on GitHub as of November 2026',
    bytes: 'pinned by public projects on GitHub as of November 2026',
    sha256: 'pinned by public projects on GitHub as of November 2026',
    licence: "the model's card at the hub",
    context: 'pinned by public projects on GitHub as of November 2026',
    dimensions: "the model's card at the hub",
  },
});
