import { hubModel } from '../hub-model.ts';

export const whisperLargeV3Turbo = hubModel({
  id: 'whisper-large-v3-turbo',
  name: 'Whisper large v3 turbo, 4 bit',
  why: 'The larger Whisper here, where accuracy matters more than memory.',
  engine: 'onnx',
  tasks: ['transcribe'],
  services: ['svc-whisper-v1', 'svc-stt-v1'],
  tier: 'standard',
  licence: 'MIT',
  contextTokensMax: 448,
  hub: [
    {
      role: 'onnx/encoder_model_q4.onnx',
      repo: 'onnx-community/whisper-large-v3-turbo',
      path: 'onnx/encoder_model_q4.onnx',
      bytes: 425_000_000,
    },
    {
      role: 'onnx/decoder_model_merged_q4.onnx',
      repo: 'onnx-community/whisper-large-v3-turbo',
      path: 'onnx/decoder_model_merged_q4.onnx',
      bytes: 334_000_000,
    },
    { role: 'config.json', repo: 'onnx-community/whisper-large-v3-turbo', path: 'config.json', bytes: 4000 },
    {
      role: 'generation_config.json',
      repo: 'onnx-community/whisper-large-v3-turbo',
      path: 'generation_config.json',
      bytes: 4000,
    },
    {
      role: 'preprocessor_config.json',
      repo: 'onnx-community/whisper-large-v3-turbo',
      path: 'preprocessor_config.json',
      bytes: 4000,
    },
    {
      role: 'tokenizer.json',
      repo: 'onnx-community/whisper-large-v3-turbo',
      path: 'tokenizer.json',
      bytes: 4000,
    },
    {
      role: 'tokenizer_config.json',
      repo: 'onnx-community/whisper-large-v3-turbo',
      path: 'tokenizer_config.json',
      bytes: 4000,
    },
  ],
  verified: { files: "the model's card at the hub", licence: "LocalAI's model gallery of 2026-08-22" },
});
