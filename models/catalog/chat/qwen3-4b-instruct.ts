import { hubModel } from '../hub-model.ts';

export const qwen34bInstruct = hubModel({
  id: 'qwen3-4b-instruct',
  name: 'Qwen3 4B Instruct 2507, Q4_K_M',
  why: 'Chat and translation with a model that answers without reasoning first.',
  engine: 'llama',
  tasks: ['chat', 'translate'],
  services: ['svc-chat-v1', 'svc-translate-v1'],
  tier: 'standard',
  licence: 'Apache-2.0',
  contextTokensMax: 262_144,
  memory: { kvBytesPerToken: 147_456 },
  hub: [
    {
      role: 'model',
      repo: 'unsloth/Qwen3-4B-Instruct-2507-GGUF',
      path: 'Qwen3-4B-Instruct-2507-Q4_K_M.gguf',
      bytes: 2_497_281_120,
      sha256: '3605803b982cb64aead44f6c1b2ae36e3acdb41d8e46c8a94c6533bc4c67e597',
    },
  ],
  verified: {
    files: 'pinned by public projects on GitHub as of November 2026',
    bytes: 'pinned by public projects on GitHub as of November 2026',
    sha256: 'pinned by public projects on GitHub as of November 2026',
    licence: 'pinned by public projects on GitHub as of November 2026',
    context: 'pinned by public projects on GitHub as of November 2026',
    memory: '36 layers, 8 key heads of 128, pinned by public projects on GitHub as of November 2026',
  },
});
