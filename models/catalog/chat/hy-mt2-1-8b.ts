import { hubModel } from '../hub-model.ts';

export const hyMt218b = hubModel({
  id: 'hy-mt2-1.8b',
  name: 'Hunyuan MT2 1.8B (33 languages), Q4_K_M',
  why: 'Made for translation alone, and small enough for most machines.',
  engine: 'llama',
  tasks: ['chat', 'translate'],
  services: ['svc-translate-v1'],
  tier: 'small',
  licence: 'Apache-2.0',
  contextTokensMax: 262_144,
  memory: { kvBytesPerToken: 65_536 },
  hub: [
    {
      role: 'model',
      repo: 'tencent/Hy-MT2-1.8B-GGUF',
      path: 'Hy-MT2-1.8B-Q4_K_M.gguf',
      bytes: 1_133_080_448,
      sha256: 'dc5f44fcf1fa496ee7ad725982c0c8c553a4de00259b53af84c4b89fb0c06699',
    },
  ],
  verified: {
    files: 'pinned by public projects on GitHub as of November 2026',
    bytes: 'pinned by public projects on GitHub as of November 2026',
    sha256: 'pinned by public projects on GitHub as of November 2026',
    licence: "LocalAI's model gallery of 2026-08-22",
    context: "LocalAI's model gallery of 2026-08-22",
  },
});
