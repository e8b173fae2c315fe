import { hubModel } from '../hub-model.ts';

export const qwen3635bA3b = hubModel({
  id: 'qwen3.6-35b-a3b',
  name: 'Qwen3.6 35B A3B, MXFP4',
  why: 'The largest chat model here: a mixture of experts that uses a twelfth of its weights per token.',
  engine: 'llama',
  tasks: ['chat', 'translate'],
  services: ['svc-chat-v1', 'svc-code-v1', 'svc-translate-v1'],
  tier: 'large',
  licence: 'Apache-2.0',
  contextTokensMax: 262_144,
  memory: { kvBytesPerToken: 20_480, activeShare: 3 / 35 },
  hub: [
    {
      role: 'model',
      repo: 'unsloth/Qwen3.6-35B-A3B-GGUF',
      path: 'Qwen3.6-35B-A3B-MXFP4_MOE.gguf',
      bytes: 21_706_144_736,
      sha256: '2fdd20997c4d88ee25f70f500c61f8b999378d92ab055f9d450fc70d617158d3',
    },
  ],
  verified: {
    files: 'pinned by public projects on GitHub as of November 2026',
    bytes: 'pinned by public projects on GitHub as of November 2026',
    sha256: 'pinned by public projects on GitHub as of November 2026',
    licence: "node-llama-cpp's list of recommended models",
  },
});
