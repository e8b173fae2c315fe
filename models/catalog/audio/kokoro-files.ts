import type { HubFile } from '../../../src/runtime/manifest.ts';

/** The model's voices that are most like those of the contract; it has no Shimmer. */
export const KOKORO_VOICES = {
  alloy: 'af_alloy',
  echo: 'am_echo',
  fable: 'bm_fable',
  onyx: 'am_onyx',
  nova: 'af_nova',
  shimmer: 'af_bella',
};

/** The files besides the weights, whatever their precision: voices and tokenizer. */
export const KOKORO_FILES: readonly HubFile[] = [
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
];
