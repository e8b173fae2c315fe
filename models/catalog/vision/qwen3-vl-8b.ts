import { hubModel } from '../hub-model.ts';

export const qwen3Vl8b = hubModel({
  id: 'qwen3-vl-8b',
  name: 'Qwen3 VL 8B Instruct, Q4_K_M',
  why: 'The largest model here that reads images.',
  engine: 'vision',
  tasks: ['chat'],
  services: ['svc-vision-v1'],
  tier: 'large',
  licence: 'Apache-2.0',
  contextTokensMax: 262_144,
  memory: { kvBytesPerToken: 147_456 },
  hub: [
    {
      role: 'model',
      repo: 'unsloth/Qwen3-VL-8B-Instruct-GGUF',
      path: 'Qwen3-VL-8B-Instruct-Q4_K_M.gguf',
      bytes: 5_027_785_568,
      sha256: '108e7ff92b78eefd3db4741885104acba514255c11b617d3c7b197a5f46efe89',
    },
    {
      role: 'projector',
      repo: 'unsloth/Qwen3-VL-8B-Instruct-GGUF',
      path: 'mmproj-F16.gguf',
      bytes: 1_159_030_336,
    },
  ],
  verified: {
    files: 'pinned by public projects on GitHub as of November 2026',
    bytes: 'pinned by public projects on GitHub as of November 2026',
    licence: 'pinned by public projects on GitHub as of November 2026',
    context: 'pinned by public projects on GitHub as of November 2026',
    memory: '36 layers, 8 key heads of 128, pinned by public projects on GitHub as of November 2026',
  },
});
