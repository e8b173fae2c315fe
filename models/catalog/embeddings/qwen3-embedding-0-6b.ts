import { hubModel } from '../hub-model.ts';

export const qwen3Embedding06b = hubModel({
  id: 'qwen3-embedding-0.6b',
  name: 'Qwen3 Embedding 0.6B, Q8_0',
  why: 'Embeddings of long texts: its context is four times that of BGE M3.',
  engine: 'llama',
  tasks: ['embed'],
  services: ['svc-embed-v1'],
  tier: 'large',
  licence: 'Apache-2.0',
  contextTokensMax: 32_768,
  embedding: { dimensions: 1024, truncatable: true },
  memory: { kvBytesPerToken: 114_688 },
  hub: [
    {
      role: 'model',
      repo: 'Qwen/Qwen3-Embedding-0.6B-GGUF',
      path: 'Qwen3-Embedding-0.6B-Q8_0.gguf',
      bytes: 639_150_592,
      sha256: '06507c7b42688469c4e7298b0a1e16deff06caf291cf0a5b278c308249c3e439',
    },
  ],
  verified: {
    files: 'pinned by public projects on GitHub as of November 2026',
    bytes: 'pinned by public projects on GitHub as of November 2026',
    sha256: 'pinned by public projects on GitHub as of November 2026',
    licence: "LocalAI's model gallery of 2026-08-22",
    context: "LocalAI's model gallery of 2026-08-22",
    dimensions: 'pinned by public projects on GitHub as of November 2026',
  },
});
