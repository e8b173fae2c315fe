import { Failure } from '../base/errors.ts';
import type { ItemEvent } from '../runtime/engine.ts';

const NAMED_MAX = 10;

export type VectorEvents = AsyncIterable<ItemEvent<Float32Array>>;

/**
 * A zero vector is equally far from every text, so searching with it silently returns nonsense. It is rejected at the
 * end, when all such inputs can be named at once.
 */
export async function* refuseEmptyVectors(
  events: VectorEvents,
  model: string,
): AsyncGenerator<ItemEvent<Float32Array>> {
  const empty: number[] = [];
  for await (const event of events) {
    if (event.type === 'item' && event.result.every((value) => value === 0)) empty.push(event.index);
    yield event;
  }
  if (empty.length > 0) throw nothingToEmbed(empty, model);
}

/** An upstream server may return numbers that JSON cannot represent. */
export async function* refuseEndlessVectors(events: VectorEvents): AsyncGenerator<ItemEvent<Float32Array>> {
  for await (const event of events) {
    if (event.type === 'item' && event.result.some((value) => !Number.isFinite(value))) {
      const param = `input[${event.index}]`;
      const message = `The model returned a vector for ${param} with non-finite numbers.`;
      throw new Failure('model_output_invalid', message, { param });
    }
    yield event;
  }
}

function nothingToEmbed(indexes: readonly number[], model: string): Failure {
  const params = indexes.toSorted((a, b) => a - b).map((index) => `input[${index}]`);
  const named = params.slice(0, NAMED_MAX);
  if (params.length > NAMED_MAX) named.push(`${params.length - NAMED_MAX} more`);
  const last = named.pop() ?? '';
  const subject = named.length === 0 ? `${last} has` : `${named.join(', ')} and ${last} have`;
  const message = `${subject} nothing that "${model}" can embed: no token that it knows. Omit ${params.length === 1 ? 'it' : 'them'}, or use another model.`;
  return new Failure('invalid_value', message, { param: params[0] ?? 'input' });
}
