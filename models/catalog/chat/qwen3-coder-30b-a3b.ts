import { hubModel } from '../hub-model.ts';

export const qwen3Coder30bA3b = hubModel({
  id: 'qwen3-coder-30b-a3b',
  name: 'Qwen3 Coder 30B A3B Instruct, Q4_K_M',
  why: 'The largest model here that is trained for code: it uses a tenth of its weights per token.',
  engine: 'llama',
  tasks: ['chat'],
  services: ['svc-code-v1'],
  tier: 'large',
  licence: 'Apache-2.0',
  contextTokensMax: 262_144,
  memory: { kvBytesPerToken: 98_304, activeShare: 3 / 30 },
  hub: [
    {
      role: 'model',
      repo: 'unsloth/Qwen3-Coder-30B-A3B-Instruct-GGUF',
      path: 'Qwen3-Coder-30B-A3B-Instruct-Q4_K_M.gguf',
      bytes: 18_557_000_000,
    },
  ],
  verified: {
    files: 'pinned by public projects on GitHub as of November 2026',
    licence: "LocalAI's model gallery of 2026-08-22",
    context: "LocalAI's model gallery of 2026-08-22",
  },
});
