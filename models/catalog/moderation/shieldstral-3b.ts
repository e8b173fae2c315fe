import { hubModel } from '../hub-model.ts';

export const shieldstral3b = hubModel({
  id: 'shieldstral-3b',
  name: 'Shieldstral 1.0 3B (12 languages), Q4_K_M',
  why: 'Moderation in 12 languages.',
  engine: 'llama',
  tasks: ['moderate'],
  services: ['svc-moderation-v1'],
  tier: 'standard',
  licence: 'Apache-2.0',
  contextTokensMax: 32_768,
  memory: { kvBytesPerToken: 106_496 },
  hub: [
    {
      role: 'model',
      repo: 'noctrex/Shieldstral-1.0-3B-GGUF',
      path: 'Shieldstral-1.0-3B-Q4_K_M.gguf',
      bytes: 2_150_000_000,
      sha256: 'df76fe59cf4083202fdf693527892774acd435ee8e9023c5a3aaa0c2b35d49ec',
    },
  ],
  verified: {
    files: "LocalAI's model gallery of 2026-08-22",
    sha256: 'pinned by public projects on GitHub as of November 2026',
    licence: "the model's card at the hub",
    context: "LocalAI's model gallery of 2026-08-22",
  },
});
