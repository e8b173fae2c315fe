import { hubModel } from '../hub-model.ts';

export const flux2Klein4bQ4 = hubModel({
  id: 'flux2-klein-4b-q4',
  name: 'FLUX.2 klein 4B, Q4_0',
  why: 'The smaller of the two FLUX.2 models here.',
  engine: 'diffusion',
  tasks: ['draw'],
  services: ['svc-image-v1'],
  tier: 'small',
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
      path: 'flux-2-klein-4b-Q4_0.gguf',
      bytes: 2_460_378_560,
      sha256: 'd1023499ef3f2f82ff7c50e6778495195c1b6cc34835741778868428111f9ff4',
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
  verified: {
    files: 'pinned by public projects on GitHub as of November 2026',
    sha256: 'pinned by public projects on GitHub as of November 2026',
  },
});
