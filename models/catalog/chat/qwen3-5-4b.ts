import { hubModel } from '../hub-model.ts';

export const qwen354b = hubModel({
  id: 'qwen3.5-4b',
  name: 'Qwen3.5 4B, Q4_K_M',
  why: 'Chat, code and translation with one file that fits most machines.',
  engine: 'llama',
  tasks: ['chat', 'translate'],
  services: ['svc-chat-v1', 'svc-code-v1', 'svc-translate-v1'],
  tier: 'standard',
  licence: 'Apache-2.0',
  contextTokensMax: 262_144,
  memory: { kvBytesPerToken: 49_152 },
  hub: [
    {
      role: 'model',
      repo: 'unsloth/Qwen3.5-4B-GGUF',
      path: 'Qwen3.5-4B-Q4_K_M.gguf',
      bytes: 2_740_937_888,
      sha256: '00fe7986ff5f6b463e62455821146049db6f9313603938a70800d1fb69ef11a4',
    },
  ],
  verified: {
    files: 'pinned by public projects on GitHub as of November 2026',
    bytes: 'pinned by public projects on GitHub as of November 2026',
    sha256: 'pinned by public projects on GitHub as of November 2026',
    licence: 'pinned by public projects on GitHub as of November 2026',
    context: "LocalAI's model gallery of 2026-08-22",
    memory: 'pinned by public projects on GitHub as of November 2026',
  },
});
