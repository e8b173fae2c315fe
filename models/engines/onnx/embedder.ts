import type { EmbeddingFacts } from '../../../src/runtime/manifest.ts';
import type { Encoder } from '../vectors.ts';
import { loadOptions, type OnnxFolder } from './folder.ts';
import { readFrame } from './frame.ts';
import type { Transformers } from './library.ts';
import { requireOutput, runTokens, toFloats, TRIAL_TOKENS } from './run.ts';
import { tokensOf } from './tokens.ts';

export type OnnxParts = {
  library: Transformers;
  folder: OnnxFolder;
  contextTokens: number;
  threads: number;
};

type Pooling = NonNullable<EmbeddingFacts['pooling']>;

/** Opens a model whose token vectors are pooled into one vector of the text. */
export async function openOnnxEmbedder(parts: OnnxParts, wanted?: Pooling): Promise<Encoder> {
  const { library, folder, contextTokens, threads } = parts;
  const tokenizer = await library.AutoTokenizer.from_pretrained(folder.path, { local_files_only: true });
  const options = loadOptions(folder.precisionOf('model'), threads);
  const model = await library.AutoModel.from_pretrained(folder.path, options);
  const pooling = wanted ?? poolingOf(folder);
  const { start, end } = readFrame(tokenizer);
  const framed = (tokens: readonly number[]) => [
    ...(startsWith(tokens, start) ? [] : start),
    ...tokens,
    ...(endsWith(tokens, end) ? [] : end),
  ];
  async function vectorOf(tokens: readonly number[]): Promise<Float32Array> {
    const outputs = await runTokens(library, { model, tokens: framed(tokens) });
    const output = requireOutput(outputs, ['sentence_embedding', 'last_hidden_state', 'token_embeddings']);
    const values = toFloats(output);
    return output.dims.length === 2 ? values : pool(values, output.dims.at(-1) ?? 0, pooling);
  }

  await vectorOf(TRIAL_TOKENS);
  return {
    contextTokens,
    vocabulary: folder.config.vocab_size ?? Infinity,
    tokenize: (text) => tokensOf(tokenizer, text),
    lengthOf: (tokens) => framed(tokens).length,
    vectorOf,
  };
}

type PoolingConfig = Record<'pooling_mode_cls_token' | 'pooling_mode_lasttoken', boolean | undefined>;

/** The authors' configuration; most use the mean. */
function poolingOf({ readJson }: OnnxFolder): Pooling {
  const config = readJson<PoolingConfig>('1_Pooling/config.json');
  if (config?.pooling_mode_cls_token) return 'cls';
  return config?.pooling_mode_lasttoken ? 'last' : 'mean';
}

function pool(values: Float32Array, width: number, pooling: Pooling): Float32Array {
  const tokens = values.length / width;
  if (pooling === 'cls') return values.slice(0, width);
  if (pooling === 'last') return values.slice((tokens - 1) * width);
  const mean = new Float32Array(width);
  values.forEach((value, index) => (mean[index % width] = (mean[index % width] ?? 0) + value / tokens));
  return mean;
}

function startsWith(tokens: readonly number[], start: readonly number[]): boolean {
  return start.every((token, index) => tokens[index] === token);
}

function endsWith(tokens: readonly number[], end: readonly number[]): boolean {
  return tokens.length >= end.length && end.every((token, index) => tokens.at(index - end.length) === token);
}
