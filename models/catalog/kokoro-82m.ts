import { hubModel } from './hub-model.ts';

export const kokoro82m = hubModel({
  id: 'kokoro-82m',
  name: 'Kokoro 82M, full precision',
  engine: 'onnx',
  tasks: ['speak'],
  services: ['svc-tts-v1'],
  tier: 'standard',
  licence: 'Apache-2.0',
  contextTokensMax: 512,
  hub: [
    {
      role: 'onnx/model.onnx',
      repo: 'onnx-community/Kokoro-82M-v1.0-ONNX',
      path: 'onnx/model.onnx',
      bytes: 325_532_232,
      sha256: '8fbea51ea711f2af382e88c833d9e288c6dc82ce5e98421ea61c058ce21a34cb',
    },
    {
      role: 'voices/af_alloy.bin',
      repo: 'onnx-community/Kokoro-82M-v1.0-ONNX',
      path: 'voices/af_alloy.bin',
      bytes: 522_240,
    },
    {
      role: 'voices/am_echo.bin',
      repo: 'onnx-community/Kokoro-82M-v1.0-ONNX',
      path: 'voices/am_echo.bin',
      bytes: 522_240,
    },
    {
      role: 'voices/bm_fable.bin',
      repo: 'onnx-community/Kokoro-82M-v1.0-ONNX',
      path: 'voices/bm_fable.bin',
      bytes: 522_240,
    },
    {
      role: 'voices/am_onyx.bin',
      repo: 'onnx-community/Kokoro-82M-v1.0-ONNX',
      path: 'voices/am_onyx.bin',
      bytes: 522_240,
    },
    {
      role: 'voices/af_nova.bin',
      repo: 'onnx-community/Kokoro-82M-v1.0-ONNX',
      path: 'voices/af_nova.bin',
      bytes: 522_240,
    },
    {
      role: 'voices/af_bella.bin',
      repo: 'onnx-community/Kokoro-82M-v1.0-ONNX',
      path: 'voices/af_bella.bin',
      bytes: 522_240,
    },
    { role: 'config.json', repo: 'onnx-community/Kokoro-82M-v1.0-ONNX', path: 'config.json', bytes: 4000 },
    {
      role: 'tokenizer.json',
      repo: 'onnx-community/Kokoro-82M-v1.0-ONNX',
      path: 'tokenizer.json',
      bytes: 4000,
    },
    {
      role: 'tokenizer_config.json',
      repo: 'onnx-community/Kokoro-82M-v1.0-ONNX',
      path: 'tokenizer_config.json',
      bytes: 4000,
    },
  ],
  verified: {
    files: 'pinned so by public projects on GitHub, seen in November 2026',
    licence: 'pinned so by public projects on GitHub, seen in November 2026',
  },
});
