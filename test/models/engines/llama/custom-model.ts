import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { tokenizerMetadata } from '../../../../src/gguf/byte-level.ts';
import {
  bool,
  int32s,
  string,
  strings,
  uint32,
  writeGguf,
  type Metadata,
} from '../../../../src/gguf/gguf.ts';
import { createRandom } from '../../../../src/gguf/random.ts';
import { f32Tensor, valueCount } from '../../../../src/gguf/tensors.ts';
import { transformerMetadata, transformerTensors } from '../../../../src/gguf/transformer.ts';

/** The numbers of these tokens in `sentencePieceTokenizer`. */
const [ORDINARY, UNKNOWN, CONTROL, BYTE] = [1, 2, 3, 6];

/** A random model with some of its metadata replaced, or omitted if the value is undefined. */
export async function customModel(
  changes: Record<string, Metadata[string] | undefined>,
  { contextTokens = 4096 } = {},
): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'askd-custom-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'custom.gguf');
  const tokenizer: Metadata = {};
  for (const [key, value] of Object.entries({ ...tokenizerMetadata(), ...changes })) {
    if (value) tokenizer[key] = value;
  }
  const names = tokenizer['tokenizer.ggml.tokens'];
  const shape = {
    architecture: 'llama' as const,
    name: 'custom',
    contextTokens,
    vocabulary: names?.type === 'strings' ? names.value.length : 0,
    layers: 1,
    width: 32,
    feedForward: 64,
    heads: 2,
    keyValueHeads: 2,
    headWidth: 16,
  };
  const random = createRandom(5);
  const tensors = transformerTensors(shape, (name, dims) =>
    f32Tensor(
      name,
      dims,
      Float32Array.from({ length: valueCount(dims) }, () => random() - 0.5),
    ),
  );
  await writeGguf(file, { ...transformerMetadata(shape), ...tokenizer }, tensors);
  return file;
}

/** A SentencePiece vocabulary as in Llama 2, which puts a space before every text: bytes and single letters. */
export function sentencePieceTokenizer(): Record<string, Metadata[string] | undefined> {
  const bytes = Array.from(
    { length: 256 },
    (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
  );
  const letters = ['▁', ...Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)), '\n'];
  const names = ['<unk>', '<s>', '</s>', ...bytes, ...letters];
  const types = [UNKNOWN, CONTROL, CONTROL, ...bytes.map(() => BYTE), ...letters.map(() => ORDINARY)];
  return {
    'tokenizer.ggml.model': string('llama'),
    'tokenizer.ggml.pre': undefined,
    'tokenizer.ggml.merges': undefined,
    'tokenizer.ggml.padding_token_id': undefined,
    'tokenizer.ggml.tokens': strings(names),
    'tokenizer.ggml.token_type': int32s(types.map((type) => type ?? ORDINARY)),
    'tokenizer.ggml.unknown_token_id': uint32(0),
    'tokenizer.ggml.bos_token_id': uint32(1),
    'tokenizer.ggml.eos_token_id': uint32(2),
    'tokenizer.ggml.add_bos_token': bool(true),
    'tokenizer.ggml.add_space_prefix': bool(true),
    'tokenizer.chat_template': string(
      "{% for m in messages %}{{ '[' + m.role + '] ' + m.content + eos_token }}{% endfor %}",
    ),
  };
}
