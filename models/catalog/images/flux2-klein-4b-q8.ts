import { hubModel } from '../hub-model.ts';

export const flux2Klein4bQ8 = hubModel({
  id: 'flux2-klein-4b-q8',
  name: 'FLUX.2 klein 4B, Q8_0',
  why: 'The model of flux2-klein-4b-q4 with 8-bit weights.',
  engine: 'diffusion',
  tasks: ['draw'],
  services: ['svc-image-v1'],
  tier: 'standard',
  licence: 'Apache-2.0 and others',
  licenceTerms: {
    summary:
      'The diffusion model and the text encoder are Apache-2.0; the terms of the image decoder are unconfirmed.',
    url: 'https://huggingface.co/Comfy-Org/vae-text-encorder-for-flux-klein-4b',
  },
  contextTokensMax: 0,
  drawing: { side: 2048, steps: 4, guidance: 1, negativeGuidance: 2 },
  hub: [
    {
      role: 'model',
      repo: 'leejet/FLUX.2-klein-4B-GGUF',
      path: 'flux-2-klein-4b-Q8_0.gguf',
      bytes: 4_300_629_440,
    },
    {
      role: 'text-encoder',
      repo: 'unsloth/Qwen3-4B-GGUF',
      path: 'Qwen3-4B-Q4_K_M.gguf',
      bytes: 2_497_281_312,
      sha256: 'f6f851777709861056efcdad3af01da38b31223a3ba26e61a4f8bf3a2195813a',
    },
    {
      role: 'decoder',
      repo: 'Comfy-Org/vae-text-encorder-for-flux-klein-4b',
      path: 'split_files/vae/flux2-vae.safetensors',
      bytes: 336_213_556,
      sha256: '868fe7b343cc8f3a19dbcfcafbc3d5f888802be3f89bd81b65b3621a066ce8f3',
    },
  ],
  verified: { files: 'pinned by public projects on GitHub as of November 2026' },
});
