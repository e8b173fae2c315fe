import { readFile } from 'node:fs/promises';
import {
  bool,
  float32,
  int32s,
  string,
  strings,
  uint32,
  writeGguf,
  type Metadata,
} from '../../../src/gguf/gguf.ts';
import { f32Tensor, q8Tensor, valueCount, type Tensor } from '../../../src/gguf/tensors.ts';
import { createTokenizer, type Merge } from './bpe.ts';
import { CONTROL_TOKENS, END_OF_TURN } from './template.ts';

/** The context that the model was trained for; its rotary positions would support more. */
export const CONTEXT_TOKENS = 2048;
const NORM_EPSILON = 1e-5;
const ROPE_BASE = 10_000;

export type Exporting = {
  weights: string;
  merges: readonly Merge[];
  file: string;
  name: string;
  /** Of chats. */
  template: string;
};

/** Writes what train.py saved as a GGUF file: matrices in Q8_0, norms in F32. */
export async function exportModel({ weights, merges, file, name, template }: Exporting): Promise<Trained> {
  const { shape, tensors } = await readWeights(weights);
  const metadata = { ...modelMetadata(name, shape), ...tokenizerMetadata(merges, template) };
  await writeGguf(file, metadata, tensors);
  const parameters = tensors.reduce((sum, { dims }) => sum + valueCount(dims), 0);
  return { parameters, tokens: shape.tokens ?? 0, minutes: shape.minutes ?? 0 };
}

/** The training's own record. */
export type Trained = { parameters: number; tokens: number; minutes: number };
type Shape = Partial<Trained> & {
  vocabulary: number;
  width: number;
  layers: number;
  heads: number;
  feed_forward: number;
};
type Entry = { shape: number[]; data_offsets: [begin: number, end: number] };

async function readWeights(file: string): Promise<{ shape: Shape; tensors: Tensor[] }> {
  const bytes = await readFile(file);
  const start = 8 + Number(bytes.readBigUInt64LE(0));
  const { __metadata__: noted = {}, ...entries } = JSON.parse(bytes.toString('utf8', 8, start)) as Record<
    string,
    Entry
  > & { __metadata__?: Record<string, string> };
  const shape = Object.fromEntries(
    Object.entries(noted).map(([key, value]) => [key, Number(value)]),
  ) as Shape;
  const tensors = Object.entries(entries).map(
    ([
      name,
      {
        shape: rows,
        data_offsets: [begin, end],
      },
    ]) => {
      const values = new Float32Array((end - begin) / 4);
      Buffer.from(values.buffer).set(bytes.subarray(start + begin, start + end));
      return (rows.length === 1 ? f32Tensor : q8Tensor)(name, rows.toReversed(), values);
    },
  );
  return { shape, tensors };
}

function modelMetadata(name: string, { vocabulary, width, layers, heads, feed_forward }: Shape): Metadata {
  return {
    'general.architecture': string('llama'),
    'general.name': string(name),
    'general.license': string('apache-2.0'),
    'llama.vocab_size': uint32(vocabulary),
    'llama.context_length': uint32(CONTEXT_TOKENS),
    'llama.block_count': uint32(layers),
    'llama.embedding_length': uint32(width),
    'llama.feed_forward_length': uint32(feed_forward),
    'llama.attention.head_count': uint32(heads),
    'llama.attention.head_count_kv': uint32(heads),
    'llama.attention.layer_norm_rms_epsilon': float32(NORM_EPSILON),
    'llama.rope.dimension_count': uint32(width / heads),
    'llama.rope.freq_base': float32(ROPE_BASE),
  };
}

const [ORDINARY, CONTROL] = [1, 3];

function tokenizerMetadata(merges: readonly Merge[], template: string): Metadata {
  const { names } = createTokenizer(merges);
  const tokenOf = (name: string) => uint32(names.indexOf(name));
  const controls: readonly string[] = CONTROL_TOKENS;
  return {
    'tokenizer.ggml.model': string('gpt2'),
    'tokenizer.ggml.pre': string('qwen2'),
    'tokenizer.ggml.tokens': strings(names),
    'tokenizer.ggml.token_type': int32s(names.map((each) => (controls.includes(each) ? CONTROL : ORDINARY))),
    'tokenizer.ggml.merges': strings(merges.map((pair) => pair.join(' '))),
    'tokenizer.ggml.bos_token_id': tokenOf(CONTROL_TOKENS[0]),
    'tokenizer.ggml.eos_token_id': tokenOf(END_OF_TURN),
    'tokenizer.ggml.padding_token_id': tokenOf(CONTROL_TOKENS[0]),
    'tokenizer.ggml.add_bos_token': bool(false),
    'tokenizer.chat_template': string(template),
  };
}
