import { hubModel } from '../hub-model.ts';

export const smolvlm2500m = hubModel({
  id: 'smolvlm2-500m',
  name: 'SmolVLM2 500M Video Instruct, Q8_0',
  why: 'The smallest model here that reads images.',
  engine: 'vision',
  tasks: ['chat'],
  services: ['svc-vision-v1'],
  tier: 'small',
  licence: 'Apache-2.0',
  contextTokensMax: 8192,
  hub: [
    {
      role: 'model',
      repo: 'ggml-org/SmolVLM2-500M-Video-Instruct-GGUF',
      path: 'SmolVLM2-500M-Video-Instruct-Q8_0.gguf',
      bytes: 436_808_704,
      sha256: '6f67b8036b2469fcd71728702720c6b51aebd759b78137a8120733b4d66438bc',
    },
    {
      role: 'projector',
      repo: 'ggml-org/SmolVLM2-500M-Video-Instruct-GGUF',
      path: 'mmproj-SmolVLM2-500M-Video-Instruct-Q8_0.gguf',
      bytes: 108_785_184,
    },
  ],
  verified: {
    files: 'pinned by public projects on GitHub as of November 2026',
    bytes: 'pinned by public projects on GitHub as of November 2026',
  },
});
