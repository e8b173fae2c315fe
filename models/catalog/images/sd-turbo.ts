import { hubModel } from '../hub-model.ts';

export const sdTurbo = hubModel({
  id: 'sd-turbo',
  name: 'SD-Turbo, Q8_0',
  why: 'The smallest image model here: images of 512 pixels in four steps.',
  engine: 'diffusion',
  tasks: ['draw'],
  services: ['svc-image-v1'],
  tier: 'small',
  licence: 'Stability AI Community',
  licenceTerms: {
    summary:
      'Free for research, personal use and companies below an annual revenue limit; others need a licence.',
    url: 'https://huggingface.co/stabilityai/sd-turbo',
  },
  contextTokensMax: 0,
  drawing: { side: 512, steps: 4, guidance: 1 },
  hub: [
    {
      role: 'model',
      repo: 'gpustack/stable-diffusion-v2-1-turbo-GGUF',
      path: 'stable-diffusion-v2-1-turbo-Q8_0.gguf',
      bytes: 2_320_000_000,
    },
  ],
  verified: { files: 'named by public projects on GitHub as of November 2026' },
});
