import { hubModel } from '../hub-model.ts';

export const whisperBase = hubModel({
  id: 'whisper-base',
  name: 'Whisper base, 8 bit',
  why: 'The smallest Whisper here: it transcribes on any machine.',
  engine: 'onnx',
  tasks: ['transcribe'],
  services: ['svc-whisper-v1', 'svc-stt-v1'],
  tier: 'small',
  licence: 'MIT',
  contextTokensMax: 448,
  hub: [
    {
      role: 'onnx/encoder_model_quantized.onnx',
      repo: 'onnx-community/whisper-base',
      path: 'onnx/encoder_model_quantized.onnx',
      bytes: 23_000_000,
    },
    {
      role: 'onnx/decoder_model_merged_quantized.onnx',
      repo: 'onnx-community/whisper-base',
      path: 'onnx/decoder_model_merged_quantized.onnx',
      bytes: 54_000_000,
    },
    { role: 'config.json', repo: 'onnx-community/whisper-base', path: 'config.json', bytes: 4000 },
    {
      role: 'generation_config.json',
      repo: 'onnx-community/whisper-base',
      path: 'generation_config.json',
      bytes: 4000,
    },
    {
      role: 'preprocessor_config.json',
      repo: 'onnx-community/whisper-base',
      path: 'preprocessor_config.json',
      bytes: 4000,
    },
    { role: 'tokenizer.json', repo: 'onnx-community/whisper-base', path: 'tokenizer.json', bytes: 4000 },
    {
      role: 'tokenizer_config.json',
      repo: 'onnx-community/whisper-base',
      path: 'tokenizer_config.json',
      bytes: 4000,
    },
  ],
  verified: { licence: "LocalAI's model gallery of 2026-08-22" },
});
