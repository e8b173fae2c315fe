import { KOKORO_FILES, KOKORO_VOICES } from './kokoro-files.ts';
import { hubModel } from '../hub-model.ts';

export const kokoro82mQ8 = hubModel({
  id: 'kokoro-82m-q8',
  name: 'Kokoro 82M, 8 bit',
  why: 'Natural English voices, small enough for any machine.',
  engine: 'onnx',
  tasks: ['speak'],
  services: ['svc-tts-v1'],
  tier: 'small',
  licence: 'Apache-2.0',
  contextTokensMax: 512,
  speech: { voices: KOKORO_VOICES },
  hub: [
    {
      role: 'onnx/model_quantized.onnx',
      repo: 'onnx-community/Kokoro-82M-v1.0-ONNX',
      path: 'onnx/model_quantized.onnx',
      bytes: 92_361_116,
      sha256: 'fbae9257e1e05ffc727e951ef9b9c98418e6d79f1c9b6b13bd59f5c9028a1478',
    },
    ...KOKORO_FILES,
  ],
  verified: {
    files: 'pinned by public projects on GitHub as of November 2026',
    licence: 'pinned by public projects on GitHub as of November 2026',
  },
});
