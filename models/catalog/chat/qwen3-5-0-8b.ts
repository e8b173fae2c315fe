import { hubModel } from '../hub-model.ts';

export const qwen3508b = hubModel({
  id: 'qwen3.5-0.8b',
  name: 'Qwen3.5 0.8B, Q8_0',
  why: 'The smallest chat model here, for machines with little memory.',
  engine: 'llama',
  tasks: ['chat'],
  services: ['svc-chat-v1', 'svc-code-v1'],
  tier: 'small',
  licence: 'Apache-2.0',
  contextTokensMax: 262_144,
  memory: { kvBytesPerToken: 24_576 },
  hub: [
    {
      role: 'model',
      repo: 'ggml-org/Qwen3.5-0.8B-GGUF',
      path: 'Qwen3.5-0.8B-Q8_0.gguf',
      bytes: 833_592_096,
      sha256: '37ae482d336108d23516fa35e8e0c4126688d81018b87178a18d752a1357814f',
    },
  ],
  verified: {
    files: 'pinned by public projects on GitHub as of November 2026',
    bytes: 'pinned by public projects on GitHub as of November 2026',
    sha256: 'pinned by public projects on GitHub as of November 2026',
    licence: "the Qwen3.5 family, LocalAI's model gallery of 2026-08-22",
  },
});
