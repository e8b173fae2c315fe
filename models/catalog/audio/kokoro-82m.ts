import { KOKORO_FILES, KOKORO_VOICES } from './kokoro-files.ts';
import { hubModel } from '../hub-model.ts';

export const kokoro82m = hubModel({
  id: 'kokoro-82m',
  name: 'Kokoro 82M, full precision',
  why: 'The voices of kokoro-82m-q8 at full precision.',
  engine: 'onnx',
  tasks: ['speak'],
  services: ['svc-tts-v1'],
  tier: 'standard',
  licence: 'Apache-2.0',
  contextTokensMax: 512,
  speech: { voices: KOKORO_VOICES },
  hub: [
    {
      role: 'onnx/model.onnx',
      repo: 'onnx-community/Kokoro-82M-v1.0-ONNX',
      path: 'onnx/model.onnx',
      bytes: 325_532_232,
      sha256: '8fbea51ea711f2af382e88c833d9e288c6dc82ce5e98421ea61c058ce21a34cb',
    },
    ...KOKORO_FILES,
  ],
  verified: {
    files: 'pinned by public projects on GitHub as of November 2026',
    licence: 'pinned by public projects on GitHub as of November 2026',
  },
});
