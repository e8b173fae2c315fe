import { hubModel } from '../hub-model.ts';

export const qwen25Coder7b = hubModel({
  id: 'qwen2.5-coder-7b',
  name: 'Qwen2.5 Coder 7B Instruct, Q4_K_M',
  why: 'Trained for code, for machines on which qwen3-coder-30b-a3b does not fit.',
  engine: 'llama',
  tasks: ['chat'],
  services: ['svc-code-v1'],
  tier: 'standard',
  licence: 'Apache-2.0',
  contextTokensMax: 32_768,
  memory: { kvBytesPerToken: 57_344 },
  hub: [
    {
      role: 'model',
      repo: 'unsloth/Qwen2.5-Coder-7B-Instruct-GGUF',
      path: 'Qwen2.5-Coder-7B-Instruct-Q4_K_M.gguf',
      bytes: 4_683_073_504,
      sha256: '9a961bb225cb2b9fd84b2297df0d53089895c049d7d9dc5f5f8aebbcd3247872',
    },
  ],
  verified: {
    files: 'pinned by public projects on GitHub as of November 2026',
    bytes: 'pinned by public projects on GitHub as of November 2026',
    sha256: 'pinned by public projects on GitHub as of November 2026',
    licence: 'pinned by public projects on GitHub as of November 2026',
    context: 'pinned by public projects on GitHub as of November 2026',
    memory: '28 layers, 4 key heads of 128, pinned by public projects on GitHub as of November 2026',
  },
});
