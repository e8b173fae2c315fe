import type { EmbeddingFacts } from '../../../src/runtime/manifest.ts';
import { BATCH_TOKENS, type Batching } from '../batches.ts';
import type { Encoder } from '../vectors.ts';
import { loadOptions, type OnnxFolder } from './folder.ts';
import { readFrame } from './frame.ts';
import type { Transformers } from './library.ts';
import { requireOutput, rowsOf, runTokens, TRIAL_TOKENS } from './run.ts';
import { tokensOf } from './tokens.ts';

export type OnnxParts = {
  library: Transformers;
  folder: OnnxFolder;
  contextTokens: number;
  threads: number;
};

/** Nothing is padded. */
const SAME_LENGTH: Batching = { tokensMax: BATCH_TOKENS, textsMax: Infinity, isSameLength: true };

/** Texts of the same length, with and without special tokens. */
const TRIAL_BATCH = [3, 6, 9].map((one) => Array.from({ length: 13 }, (_, place) => (place === one ? 1 : 0)));

type Pooling = NonNullable<EmbeddingFacts['pooling']>;

/** Opens a model whose token vectors are pooled into one vector of the text. */
export async function openOnnxEmbedder(parts: OnnxParts, wanted?: Pooling): Promise<Encoder> {
  const { library, folder, contextTokens, threads } = parts;
  const tokenizer = await library.AutoTokenizer.from_pretrained(folder.path, { local_files_only: true });
  const precision = folder.precisionOf('model');
  const options = loadOptions(precision, threads);
  const model = await library.AutoModel.from_pretrained(folder.path, options);
  const pooling = wanted ?? poolingOf(folder);
  const { start, end } = readFrame(tokenizer);
  const framed = (tokens: readonly number[]) => [
    ...(startsWith(tokens, start) ? [] : start),
    ...tokens,
    ...(endsWith(tokens, end) ? [] : end),
  ];
  async function vectorsOf(texts: readonly (readonly number[])[]): Promise<Float32Array[]> {
    const outputs = await runTokens(library, { model, texts: texts.map(framed) });
    const output = requireOutput(outputs, ['sentence_embedding', 'last_hidden_state', 'token_embeddings']);
    const rows = rowsOf(output, texts.length);
    return output.dims.length === 2 ? rows : rows.map((row) => pool(row, output.dims.at(-1) ?? 0, pooling));
  }

  await vectorsOf([TRIAL_TOKENS]);
  const hasExactBatches = precision === 'fp32' && !takesOneText(model) && (await areBatchesExact(vectorsOf));
  return {
    contextTokens,
    vocabulary: folder.config.vocab_size ?? Infinity,
    tokenize: (text) => tokensOf(tokenizer, text),
    lengthOf: (tokens) => framed(tokens).length,
    batching: hasExactBatches ? SAME_LENGTH : undefined,
    vectorsOf,
  };
}

type Inputs = { inputMetadata?: readonly { shape?: readonly (number | string)[] }[] };

/** Some graphs are exported for one text, and a batch would be an error that the library logs. */
function takesOneText({ sessions }: { sessions: object }): boolean {
  const inputs = Object.values(sessions as Record<string, Inputs>).flatMap(
    ({ inputMetadata = [] }) => inputMetadata,
  );
  return inputs.some(({ shape = [] }) => shape[0] === 1);
}

type VectorsOf = (texts: readonly (readonly number[])[]) => Promise<readonly Float32Array[]>;

/**
 * Quantized weights come with activations whose scale depends on the whole batch. Others are tried, since only the
 * runtime of this machine knows how it adds up.
 */
async function areBatchesExact(vectorsOf: VectorsOf): Promise<boolean> {
  const alone: Float32Array[] = [];
  for (const text of TRIAL_BATCH) alone.push(...(await vectorsOf([text])));
  const together = await vectorsOf(TRIAL_BATCH).catch(() => []);
  return alone.every((vector, index) => vector.every((value, place) => value === together[index]?.[place]));
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
