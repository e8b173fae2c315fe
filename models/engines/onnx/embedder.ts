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

const SAME_LENGTH: Batching = { tokensMax: BATCH_TOKENS, textsMax: Infinity, paddingMax: 0 };
/** A text takes as long alone as about 20 tokens more of a batch, so this much padding still saves time. */
const NEAR_LENGTHS: Batching = { ...SAME_LENGTH, paddingMax: 8 };

/** Texts of these lengths, with and without special tokens. */
const trialOf = (lengths: readonly number[]) =>
  lengths.map((length, text) => Array.from({ length }, (_, place) => (place === 3 * (text + 1) ? 1 : 0)));
const SAME_TRIAL = trialOf([13, 13, 13]);
/** Processors add several numbers at once and the remainder of a row apart: these leave different remainders. */
const NEAR_TRIAL = [...SAME_TRIAL, ...trialOf([14, 15, 16, 21])];

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
    const tokens = texts.map(framed);
    const outputs = await runTokens(library, { model, texts: tokens, padding: tokenizer.pad_token_id ?? 0 });
    const output = requireOutput(outputs, ['sentence_embedding', 'last_hidden_state', 'token_embeddings']);
    const rows = rowsOf(output, texts.length);
    if (output.dims.length === 2) return rows;
    const width = output.dims.at(-1) ?? 0;
    return rows.map((row, index) =>
      pool(row.subarray(0, (tokens[index]?.length ?? 0) * width), width, pooling),
    );
  }

  await vectorsOf([TRIAL_TOKENS]);
  const mayBatch = precision === 'fp32' && !takesOneText(model);
  return {
    contextTokens,
    vocabulary: folder.config.vocab_size ?? Infinity,
    tokenize: (text) => tokensOf(tokenizer, text),
    lengthOf: (tokens) => framed(tokens).length,
    batching: mayBatch ? await exactBatching(vectorsOf) : undefined,
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
async function exactBatching(vectorsOf: VectorsOf): Promise<Batching | undefined> {
  if (await isExact(vectorsOf, NEAR_TRIAL)) return NEAR_LENGTHS;
  return (await isExact(vectorsOf, SAME_TRIAL)) ? SAME_LENGTH : undefined;
}

async function isExact(vectorsOf: VectorsOf, texts: readonly (readonly number[])[]): Promise<boolean> {
  try {
    const alone: Float32Array[] = [];
    for (const text of texts) alone.push(...(await vectorsOf([text])));
    const together = await vectorsOf(texts);
    return alone.every((vector, index) => vector.every((value, place) => value === together[index]?.[place]));
  } catch {
    return false;
  }
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
