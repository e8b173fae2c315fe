import { setImmediate as messagesProcessed } from 'node:timers/promises';
import { polish } from '../../src/audio/polish.ts';
import { createResampler, join } from '../../src/audio/resample.ts';
import { Failure } from '../../src/base/errors.ts';
import type { Engine, LoadOptions, Session, SpeakRequest } from '../../src/runtime/engine.ts';
import type { ModelManifest } from '../../src/runtime/manifest.ts';
import { requireEnglishLetters } from './flite/letters.ts';
import { FLITE_RATE, openFlite, type FliteProgram } from './flite/program.ts';
import { findFliteVoice } from './flite/voices.ts';
import { guardMethods } from './guard.ts';
import { normalise } from './speech/normalise.ts';
import type { Piece } from './speech/sentences.ts';
import { endsOnAbort, speakPieces } from './speech/speak-pieces.ts';

/** CMU Flite: a classical synthesizer of English, small and fast, intelligible rather than natural. */
export const flite: Engine = { name: 'flite', load };

/** The sample rate of every voice in askd, since raw samples do not state theirs. */
const RATE = 24_000;

async function load({ path, tasks }: ModelManifest, options: LoadOptions, signal: AbortSignal) {
  signal.throwIfAborted();
  if (!tasks.includes('speak')) {
    throw new Failure('invalid_model_file', `${path}: this engine does not support ${tasks.join(', ')}.`);
  }
  const program = await openFlite(path).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Failure('invalid_model_file', `${path} cannot be loaded: ${reason}`, { cause });
  });
  options.onProgress?.(1);
  let isOpen = true;
  const { slots, contextTokens } = options;
  return {
    description: { slots, contextTokens, threads: 1, device: 'cpu' },
    ...guardMethods({ speak: speakWith(program) }, () => isOpen),
    async [Symbol.asyncDispose]() {
      isOpen = false;
    },
  } satisfies Session;
}

function speakWith(program: FliteProgram): NonNullable<Session['speak']> {
  async function* speak(request: SpeakRequest, signal: AbortSignal) {
    const voice = findFliteVoice(request.voice);
    requireEnglishLetters(request.text);
    const say = async ({ text }: Piece) => {
      // The program blocks, so requests take turns, and aborts arrive, between two pieces.
      await messagesProcessed();
      signal.throwIfAborted();
      return finish(program({ text, voice, speed: request.speed }));
    };
    yield* speakPieces(normalise(request.text), { request, voice: { rate: RATE, say }, signal });
  }
  return (request, signal) => endsOnAbort(speak(request, signal), signal);
}

function finish(samples: Float32Array): Float32Array {
  const resampler = createResampler(FLITE_RATE, RATE);
  return polish(join(resampler.push(samples), resampler.end()), RATE);
}
