import { hubModel } from '../hub-model.ts';

export const gptOss20b = hubModel({
  id: 'gpt-oss-20b',
  name: 'gpt-oss 20B, Q4_K_M',
  why: 'A mixture of experts that uses a sixth of its weights per token: fast for its size.',
  engine: 'llama',
  tasks: ['chat'],
  services: ['svc-chat-v1'],
  tier: 'large',
  licence: 'Apache-2.0',
  contextTokensMax: 131_072,
  memory: { kvBytesPerToken: 49_152, activeShare: 3.6 / 21 },
  hub: [
    {
      role: 'model',
      repo: 'unsloth/gpt-oss-20b-GGUF',
      path: 'gpt-oss-20b-Q4_K_M.gguf',
      bytes: 11_624_759_488,
      sha256: 'c27536640e410032865dc68781d80a08b98f8db5e93575919af8ccc0568aeb4f',
    },
  ],
  verified: {
    files: 'pinned by public projects on GitHub as of November 2026',
    bytes: 'pinned by public projects on GitHub as of November 2026',
    sha256: 'pinned by public projects on GitHub as of November 2026',
    licence: 'pinned by public projects on GitHub as of November 2026',
    context: 'pinned by public projects on GitHub as of November 2026',
    memory: '24 layers, 8 key heads of 64, pinned by public projects on GitHub as of November 2026',
  },
});
