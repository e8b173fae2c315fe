import { Failure } from '../base/errors.ts';
import type { Library } from '../library/library.ts';
import type { TokenInput } from '../runtime/engine.ts';
import type { ModelManifest } from '../runtime/manifest.ts';
import type { Pool } from '../runtime/pool.ts';
import { runItems, stopSignal, type TaskContext } from './items.ts';
import type { Metered } from './metered.ts';
import { resolveFor } from './resolve.ts';
import { reportServed } from './served.ts';
import { refuseEmptyVectors, refuseEndlessVectors } from './usable-vectors.ts';

export type EmbedInput = {
  model: string;
  inputs: readonly TokenInput[];
  dimensions?: number;
  /** Whether a text with nothing to embed gets zeros instead of an error. */
  zerosAllowed?: boolean;
};

export type Embeddings = { vectors: readonly Float32Array[]; promptTokens: number };

export type Embed = ReturnType<typeof createEmbed>;

export function createEmbed({ library, pool, metered }: { library: Library; pool: Pool; metered: Metered }) {
  async function embed(input: EmbedInput, context: TaskContext): Promise<Embeddings> {
    const { model, inputs, zerosAllowed = false } = input;
    const signal = stopSignal(context);
    const manifest = resolveFor(library, { model, task: 'embed', attempt: context.attempt });
    const dimensions = dimensionsWanted(input, manifest);
    using slot = await pool.slot(manifest, signal, context.batch);
    const { runner } = slot;
    reportServed(context, manifest, runner);
    if (!runner.embed) throw new Error(`${manifest.id} does not create embeddings`);
    const vectors: Float32Array[] = [];
    let promptTokens = 0;
    const made = refuseEndlessVectors(
      runner.embed({ inputs, ...(dimensions !== undefined && { dimensions }) }, signal),
    );
    const items = runItems({
      metered,
      request: { task: 'embed', model, artifact: manifest.id },
      context,
      events: zerosAllowed ? made : refuseEmptyVectors(made, model),
      count: inputs.length,
    });
    for await (const item of items) {
      vectors[item.index] = item.result;
      promptTokens += item.promptTokens;
    }
    return { vectors, promptTokens };
  }

  return { embed };
}

/** The size to which the engine must truncate vectors, or undefined for the model's own. */
function dimensionsWanted(
  { model, dimensions }: EmbedInput,
  { embedding }: ModelManifest,
): number | undefined {
  if (dimensions === undefined || dimensions === embedding?.dimensions) return undefined;
  const own = embedding?.dimensions ?? 0;
  const failure = { param: 'dimensions' };
  if (dimensions > own) {
    throw new Failure(
      'invalid_value',
      `dimensions is ${dimensions}, but the vectors of "${model}" have ${own}.`,
      failure,
    );
  }
  if (embedding?.truncatable) return dimensions;
  throw new Failure(
    'invalid_value',
    `The vectors of "${model}" have ${own} dimensions and cannot be shortened. Omit "dimensions".`,
    failure,
  );
}
