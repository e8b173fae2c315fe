import type { Tensor } from '@huggingface/transformers';
import type { Transformers } from './library.ts';

type Outputs = Record<string, Tensor | undefined>;
type Model = (inputs: Record<string, Tensor>) => Promise<Outputs>;
type Tokens = readonly number[];

type Run = { model: Model; texts: readonly Tokens[]; types?: readonly Tokens[]; padding?: number };

/** Runs one text, or several; the shorter ones are padded with this token, which is masked. */
export async function runTokens(
  { Tensor: TensorOf }: Transformers,
  { model, texts, types, padding = 0 }: Run,
): Promise<Outputs> {
  const width = Math.max(...texts.map(({ length }) => length));
  const toTensor = (rows: readonly Tokens[], filler: number) => {
    const padded = rows.flatMap((row) => [...row, ...new Array<number>(width - row.length).fill(filler)]);
    return new TensorOf('int64', BigInt64Array.from(padded, BigInt), [rows.length, width]);
  };
  return model({
    input_ids: toTensor(texts, padding),
    attention_mask: toTensor(
      texts.map((tokens) => tokens.map(() => 1)),
      0,
    ),
    ...(types && { token_type_ids: toTensor(types, 0) }),
  });
}

/** A graph's inputs and outputs only show when it runs: better at load time than with every request. */
export const TRIAL_TOKENS: Tokens = [0];

export function requireOutput(outputs: Outputs, names: readonly string[]): Tensor {
  for (const name of names) {
    const output = outputs[name];
    if (output) return output;
  }
  throw new Error(`The model has none of the outputs ${names.join(', ')}`);
}

export function toFloats(tensor: Tensor): Float32Array {
  return tensor.data instanceof Float32Array ? tensor.data : Float32Array.from(tensor.data as number[]);
}

/** The values of each text of a batch. */
export function rowsOf(tensor: Tensor, count: number): Float32Array[] {
  const values = toFloats(tensor);
  const width = values.length / count;
  return Array.from({ length: count }, (_, row) => values.subarray(row * width, (row + 1) * width));
}
