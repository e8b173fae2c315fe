import type { Library } from '../library/library.ts';
import type { TranscribeEvent, TranscribeRequest } from '../runtime/engine.ts';
import type { Pool } from '../runtime/pool.ts';
import { stopReason, stopSignal, type TaskContext } from './items.ts';
import type { Fallbacks } from './fallback/fallback.ts';
import type { Meter, Metered } from './metered.ts';
import { resolveFor } from './resolve.ts';
import { reportServed } from './served.ts';

export type TranscribeInput = Omit<TranscribeRequest, 'secondsMax'> & { model: string; stream: boolean };

export type Transcribe = ReturnType<typeof createTranscribe>;

type Options = {
  library: Library;
  pool: Pool;
  metered: Metered;
  fallbacks: Fallbacks;
  /** Longer files are rejected. */
  secondsMax: number;
};

/** Speech to text, priced by duration, which is known before the work starts. What was transcribed is charged. */
export function createTranscribe({ library, pool, metered, fallbacks, secondsMax }: Options) {
  async function* transcribe(
    { model, stream, ...wanted }: TranscribeInput,
    context: TaskContext,
  ): AsyncGenerator<TranscribeEvent> {
    const signal = stopSignal(context);
    const manifest = resolveFor(library, { model, task: 'transcribe', attempt: context.attempt });
    using slot = await pool.slot(manifest, signal);
    const { runner } = slot;
    if (!runner.transcribe) throw new Error(`${manifest.id} does not transcribe`);
    reportServed(context, manifest, runner);
    const events = runner.transcribe({ ...wanted, secondsMax }, signal)[Symbol.asyncIterator]();
    try {
      const first = await events.next();
      if (first.done || first.value.type !== 'sound') throw stopReason(context);
      yield first.value;
      const request = { ...context, task: 'transcribe' as const, model, stream };
      const counts = { seconds: first.value.seconds };
      yield* metered.run({ ...request, artifact: manifest.id, counts }, (meter) =>
        countSeconds(events, { meter, context, stream }),
      );
    } finally {
      await events.return?.();
    }
  }

  return {
    /** Ends with `end`; any other outcome is thrown. Nothing happens before the first `next()`. */
    transcribe: (input: TranscribeInput, context: TaskContext): AsyncGenerator<TranscribeEvent> =>
      fallbacks.stream(input.model, context, (each) => transcribe(input, each), isSound),
  };
}

const isSound = ({ type }: TranscribeEvent): boolean => type === 'sound';

type Transcription = { meter: Meter; context: TaskContext; stream: boolean };

async function* countSeconds(
  events: AsyncIterator<TranscribeEvent>,
  { meter, context, stream }: Transcription,
) {
  try {
    for (let next = await events.next(); !next.done; next = await events.next()) {
      const event = next.value;
      if (event.type === 'progress' || event.type === 'end') meter.seconds = event.seconds;
      if (event.type === 'end') meter.outcome = 'finished';
      yield event;
    }
    if (meter.outcome !== 'finished') throw stopReason(context);
  } finally {
    if (meter.outcome === 'failed' && context.client.aborted) meter.outcome = 'disconnected';
    // A client that waits for the whole transcript has received nothing.
    else if (meter.outcome === 'failed' && !stream) meter.seconds = 0;
  }
}
