import { hubModel } from '../hub-model.ts';

export const qwen3Vl4b = hubModel({
  id: 'qwen3-vl-4b',
  name: 'Qwen3 VL 4B Instruct, Q4_K_M',
  why: 'Reads images on machines for which qwen3-vl-8b is too large.',
  engine: 'vision',
  tasks: ['chat'],
  services: ['svc-vision-v1'],
  tier: 'standard',
  licence: 'Apache-2.0',
  contextTokensMax: 262_144,
  memory: { kvBytesPerToken: 147_456 },
  hub: [
    {
      role: 'model',
      repo: 'unsloth/Qwen3-VL-4B-Instruct-GGUF',
      path: 'Qwen3-VL-4B-Instruct-Q4_K_M.gguf',
      bytes: 2_497_282_336,
      sha256: 'd4dcd426bfba75752a312b266b80fec8136fbaca13c62d93b7ac41fa67f0492b',
    },
    {
      role: 'projector',
      repo: 'unsloth/Qwen3-VL-4B-Instruct-GGUF',
      path: 'mmproj-F16.gguf',
      bytes: 836_180_640,
      sha256: '1b9f4e92f0fbda14d7d7b58baed86039b8a980fe503d9d6a9393f25c0028f1fc',
    },
  ],
  verified: {
    files: 'pinned by public projects on GitHub as of November 2026',
    bytes: 'pinned by public projects on GitHub as of November 2026',
    sha256: 'pinned by public projects on GitHub as of November 2026',
    licence: "LocalAI's model gallery of 2026-08-22",
    context: 'pinned by public projects on GitHub as of November 2026',
    memory: '36 layers, 8 key heads of 128, pinned by public projects on GitHub as of November 2026',
  },
});
