import { Failure } from '../base/errors.ts';
import type { SpeakEvent, SpeakRequest } from '../runtime/engine.ts';
import { toBreak, withFirst } from './answer.ts';
import type { Answer, Send } from './send.ts';

/** Streams an audio file. Progress within the text is unknown, since the other server received the whole text. */
export function createSpeak(send: Send, model: string) {
  return async function* speak(
    { text, voice, speed, format }: SpeakRequest,
    signal: AbortSignal,
  ): AsyncGenerator<SpeakEvent> {
    try {
      const body = { model, input: text, voice, speed, response_format: format };
      const read = (answer: Answer) => withFirst(readSound(answer));
      for await (const bytes of await send('/audio/speech', body, { signal, read }))
        yield { type: 'sound', bytes, characters: text.length };
      yield { type: 'end' };
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };
}

async function* readSound({ body, type, end }: Answer): AsyncGenerator<Buffer> {
  let isSilent = true;
  try {
    if (type.startsWith('application/json')) throw noSound('JSON instead of audio');
    body.on('error', () => undefined);
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (chunk.length === 0) continue;
      isSilent = false;
      yield chunk;
    }
    if (isSilent) throw noSound('nothing');
  } catch (cause) {
    throw toBreak(cause);
  } finally {
    end();
  }
}

function noSound(what: string): Failure {
  return new Failure('upstream_failed', `The upstream server answered with ${what}.`);
}
