import { randomInt } from 'node:crypto';
import { Failure } from '../base/errors.ts';
import type { Library } from '../library/library.ts';
import type { DrawEvent, DrawRequest } from '../runtime/engine.ts';
import type { ModelManifest } from '../runtime/manifest.ts';
import type { Pool } from '../runtime/pool.ts';
import { stopReason, stopSignal, type TaskContext } from './items.ts';
import type { Fallbacks } from './fallback/fallback.ts';
import type { Meter, Metered } from './metered.ts';
import { resolveFor } from './resolve.ts';
import { reportServed } from './served.ts';

export type DrawInput = Omit<DrawRequest, 'seed'> & { model: string; seed?: number; stream: boolean };

export type DrawProgress = Exclude<DrawEvent, { type: 'picture' }> | Drawn;
export type Drawn = { type: 'picture'; picture: Uint8Array; seed: number };

export type Draw = ReturnType<typeof createDraw>;

const SEEDS = 2 ** 32;

type Options = { library: Library; pool: Pool; metered: Metered; fallbacks: Fallbacks };

export function createDraw({ library, pool, metered, fallbacks }: Options) {
  async function* draw(
    { model, stream, seed = randomInt(SEEDS), ...wanted }: DrawInput,
    context: TaskContext,
  ): AsyncGenerator<DrawProgress> {
    const signal = stopSignal(context);
    const manifest = resolveFor(library, { model, task: 'draw', attempt: context.attempt });
    refuseNegativePrompt(manifest, wanted);
    using lease = await pool.lease(manifest, signal);
    const paid = { ...context, task: 'draw' as const, model, artifact: manifest.id };
    const runner = await lease.slot(signal);
    reportServed(context, manifest, runner);
    if (!runner.draw) throw new Error(`${manifest.id} does not generate images`);
    const events = runner.draw({ ...wanted, seed }, signal);
    yield* metered.run({ ...paid, stream, counts: { images: 1 } }, (meter) =>
      meterPicture({ events, seed, meter }, context),
    );
  }

  return {
    /** Each step, the partial images, and finally the image. Only a finished image is charged. */
    draw: (input: DrawInput, context: TaskContext): AsyncGenerator<DrawProgress> =>
      fallbacks.stream(input.model, context, (each) => draw(input, each)),
  };
}

type Metering = { events: AsyncIterable<DrawEvent>; seed: number; meter: Meter };

async function* meterPicture({ events, seed, meter }: Metering, context: TaskContext) {
  try {
    for await (const event of events) {
      if (event.type !== 'picture') {
        yield event;
        continue;
      }
      meter.images = 1;
      meter.outcome = 'finished';
      yield { ...event, seed };
      return;
    }
    throw stopReason(context);
  } finally {
    if (meter.outcome === 'failed' && context.client.aborted) meter.outcome = 'disconnected';
  }
}

function refuseNegativePrompt(
  { id, engine, drawing }: ModelManifest,
  { negativePrompt = '' }: Partial<DrawRequest>,
): void {
  if (negativePrompt === '' || engine === 'upstream' || drawing?.negativeGuidance !== undefined) return;
  throw new Failure(
    'unsupported_parameter',
    `"${id}" does not support negative prompts. Omit "negative_prompt", or describe in the prompt what the image should show.`,
    { param: 'negative_prompt' },
  );
}
