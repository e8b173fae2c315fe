import { hubModel } from '../hub-model.ts';

export const koalaTextModeration = hubModel({
  id: 'koala-text-moderation',
  name: 'KoalaAI Text Moderation (English), 8 bit',
  why: 'A classifier of English texts, small enough for any machine.',
  engine: 'onnx',
  tasks: ['moderate'],
  services: ['svc-moderation-v1'],
  tier: 'small',
  licence: 'OpenRAIL',
  licenceTerms: {
    summary: 'It forbids some uses of the model.',
    url: 'https://huggingface.co/KoalaAI/Text-Moderation',
  },
  contextTokensMax: 512,
  notice: 'It classifies English only, in seven of the eleven categories; the others are derived.',
  hub: [
    {
      role: 'onnx/model_quantized.onnx',
      repo: 'KoalaAI/Text-Moderation',
      path: 'onnx/model_quantized.onnx',
      bytes: 143_000_000,
    },
    { role: 'config.json', repo: 'KoalaAI/Text-Moderation', path: 'config.json', bytes: 4000 },
    { role: 'tokenizer.json', repo: 'KoalaAI/Text-Moderation', path: 'tokenizer.json', bytes: 4000 },
    {
      role: 'tokenizer_config.json',
      repo: 'KoalaAI/Text-Moderation',
      path: 'tokenizer_config.json',
      bytes: 4000,
    },
  ],
  verified: { files: "the model's card at the hub", licence: "the model's card at the hub" },
});
