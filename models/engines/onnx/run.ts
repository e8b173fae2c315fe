import type { Tensor } from '@huggingface/transformers';
import type { Transformers } from './library.ts';

type Outputs = Record<string, Tensor | undefined>;
type Model = (inputs: Record<string, Tensor>) => Promise<Outputs>;

/** Runs one text alone: in a batch its result would differ in the last bits. */
export async function runTokens(
  { Tensor: TensorOf }: Transformers,
  { model, tokens, types }: { model: Model; tokens: readonly number[]; types?: readonly number[] },
): Promise<Outputs> {
  const toTensor = (values: readonly number[]) =>
    new TensorOf('int64', BigInt64Array.from(values, BigInt), [1, values.length]);
  return model({
    input_ids: toTensor(tokens),
    attention_mask: toTensor(tokens.map(() => 1)),
    ...(types && { token_type_ids: toTensor(types) }),
  });
}

/** A graph's inputs and outputs only show when it runs: better at load time than with every request. */
export const TRIAL_TOKENS: readonly number[] = [0];

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
