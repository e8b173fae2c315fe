import { Failure } from '../base/errors.ts';
import type { Library } from '../library/library.ts';
import type { SpeakEvent, SpeakRequest } from '../runtime/engine.ts';
import type { ModelManifest } from '../runtime/manifest.ts';
import type { Pool } from '../runtime/pool.ts';
import { stopReason, stopSignal, type TaskContext } from './items.ts';
import type { Fallbacks } from './fallback/fallback.ts';
import type { Meter, Metered } from './metered.ts';
import { resolveFor } from './resolve.ts';
import { reportServed } from './served.ts';

export type SpeakInput = SpeakRequest & { model: string };

export type Speak = ReturnType<typeof createSpeak>;

type Options = { library: Library; pool: Pool; metered: Metered; fallbacks: Fallbacks };

/** Text to speech, priced by character: the whole text is held, and what was spoken is charged. */
export function createSpeak({ library, pool, metered, fallbacks }: Options) {
  async function* speak({ model, ...wanted }: SpeakInput, context: TaskContext): AsyncGenerator<SpeakEvent> {
    const signal = stopSignal(context);
    const manifest = resolveFor(library, { model, task: 'speak', attempt: context.attempt });
    const voice = ownVoice(manifest, wanted.voice);
    using slot = await pool.slot(manifest, signal);
    const { runner } = slot;
    if (!runner.speak) throw new Error(`${manifest.id} does not synthesize speech`);
    const say = runner.speak;
    reportServed(context, manifest, runner);
    const request = { ...context, task: 'speak' as const, model, stream: true };
    const characters = charactersOf(wanted.text);
    yield* metered.run({ ...request, artifact: manifest.id, counts: { characters } }, (meter) =>
      spoken(say({ ...wanted, voice }, signal), { meter, context, characters }),
    );
  }

  return {
    /** Ends with `end`; any other outcome is thrown. Nothing happens before the first `next()`. */
    speak: (input: SpeakInput, context: TaskContext): AsyncGenerator<SpeakEvent> =>
      fallbacks.stream(input.model, context, (each) => speak(input, each)),
  };
}

/** Graphemes, as people count them. */
export function charactersOf(text: string): number {
  return [...text].length;
}

function ownVoice({ id, engine, speech }: ModelManifest, voice: string): string {
  // Only the upstream server knows its voices.
  if (engine === 'upstream') return voice;
  const voices = speech?.voices ?? {};
  const own = voices[voice];
  if (own !== undefined) return own;
  if (Object.values(voices).includes(voice)) return voice;
  if (/^[a-z]{2}_[a-z\d]+$/.test(voice)) return voice;
  const known = Object.keys(voices).join(', ');
  const message = `There is no voice "${voice}". Use ${known}, or a voice of the model: askd show ${id}`;
  throw new Failure('invalid_value', message, { param: 'voice' });
}

type Saying = { meter: Meter; context: TaskContext; characters: number };

async function* spoken(events: AsyncIterable<SpeakEvent>, { meter, context, characters }: Saying) {
  try {
    for await (const event of events) {
      if (event.type === 'sound') meter.characters = Math.min(characters, event.characters);
      if (event.type === 'end') meter.outcome = 'finished';
      yield event;
    }
    if (meter.outcome !== 'finished') throw stopReason(context);
  } finally {
    if (meter.outcome === 'failed' && context.client.aborted) meter.outcome = 'disconnected';
  }
}
