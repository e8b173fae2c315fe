import type { SpeakEvent, SpeakRequest } from '../../../src/runtime/engine.ts';
import { openEncoder } from '../../audio/encode.ts';
import { toPieces, type Piece } from './sentences.ts';

type Voice = {
  /** Samples per second. */
  rate: number;
  /** Synthesizes one piece: trimmed, and empty if there is nothing to hear. */
  say: (piece: Piece) => Promise<Float32Array>;
};

/** Speaks a text piece by piece, with the pauses between them, and sends each piece when it is done. */
export async function* speakPieces(
  spoken: string,
  { request, voice, signal }: { request: SpeakRequest; voice: Voice; signal: AbortSignal },
): AsyncGenerator<SpeakEvent> {
  const { text, speed, format } = request;
  const pieces = toPieces(spoken);
  const encoder = await openEncoder(format, voice.rate);
  const length = pieces.reduce((sum, piece) => sum + piece.text.length, 0);
  let [done, pause, isFirst] = [0, 0, true];
  for (const piece of pieces) {
    signal.throwIfAborted();
    const sound = await voice.say(piece);
    const joined = isFirst ? sound : afterPause(sound, Math.round((pause / speed) * voice.rate));
    if (sound.length > 0) isFirst = false;
    pause = piece.pause;
    done += piece.text.length;
    const bytes = await encoder.push(joined);
    yield { type: 'sound', bytes, characters: Math.round((text.length * done) / length) };
  }
  yield { type: 'sound', bytes: await encoder.end(), characters: text.length };
  yield { type: 'end' };
}

function afterPause(sound: Float32Array, samples: number): Float32Array {
  const joined = new Float32Array(samples + sound.length);
  joined.set(sound, samples);
  return joined;
}

/** An abort ends the audio early; it does not throw. */
export async function* endsOnAbort(
  events: AsyncIterable<SpeakEvent>,
  signal: AbortSignal,
): AsyncGenerator<SpeakEvent> {
  try {
    yield* events;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
