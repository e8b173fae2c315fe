import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { createSpeech, type SpeechEvent, type SpeechRequest } from '../../../src/api/tasks/audio.ts';
import { Failure } from '../../../src/base/errors.ts';
import type { TaskContext } from '../../../src/inference/items.ts';
import { charactersOf } from '../../../src/inference/speak.ts';
import { createChannel } from '../../../src/runtime/channel.ts';
import type { SpeakEvent, SpeechFormat } from '../../../src/runtime/engine.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';
import { failureFrom } from '../../http/error-mapping.ts';
import { toContext } from '../../http/served.ts';
import { DONE, sendEvents, toEvent } from '../../http/sse.ts';

const TYPES: Readonly<Record<SpeechFormat, string>> = {
  mp3: 'audio/mpeg',
  opus: 'audio/ogg; codecs=opus',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: 'audio/pcm; rate=24000; channels=1',
};

type Speaking = { services: Services; body: SpeechRequest; context: TaskContext; reply: FastifyReply };
type Sound = AsyncGenerator<SpeakEvent>;

export function registerSpeech(register: RegisterRoute, services: Services): void {
  register(createSpeech, async (call) => {
    const { body, reply } = call;
    if (body.input.trim() === '') {
      throw new Failure('invalid_value', '"input" is blank: there is nothing to synthesize.', {
        param: 'input',
      });
    }
    return answer({ services, body, context: toContext(call, services), reply });
  });
}

/** A failure before the first audio is a plain HTTP error. */
async function answer(speaking: Speaking): Promise<NodeJS.ReadableStream> {
  const { services, body, context, reply } = speaking;
  const { model, input, voice = 'alloy', response_format: format = 'mp3', speed = 1 } = body;
  const events = services.speak.speak({ model, text: input, voice, speed, format }, context);
  const sound = await begin(events);
  if (body.stream_format === 'sse') {
    return sendEvents({
      reply,
      blocks: toBlocks(sound, input),
      onFailure: ({ code, cause }) =>
        services.log.warn({ request_id: context.requestId, code, cause }, 'stream failed'),
    });
  }
  void reply.type(TYPES[format]);
  return Readable.from(bytesOf(sound, speaking), { objectMode: false });
}

/** Waits for the first audio, then runs ahead: sentences are synthesized while earlier ones are still being sent. */
async function begin(events: Sound): Promise<Sound> {
  const ahead = createChannel<SpeakEvent>();
  ahead.push(await firstSound(events));
  void forward(events, (event) => ahead.push(event)).then(
    () => ahead.end(),
    (error: unknown) => ahead.fail(error),
  );
  return ahead.iterate();
}

async function forward(events: Sound, push: (event: SpeakEvent) => void): Promise<void> {
  for await (const event of events) push(event);
}

/** Encoders return nothing for the first moments. */
async function firstSound(events: Sound): Promise<SpeakEvent> {
  for (;;) {
    const step = await events.next();
    if (step.done) throw new Error('Speech ended without audio');
    if (step.value.type === 'end' || step.value.bytes.length > 0) return step.value;
  }
}

async function* bytesOf(events: Sound, { services, context, reply }: Speaking): AsyncGenerator<Buffer> {
  try {
    for await (const event of events) if (event.type === 'sound') yield toBuffer(event.bytes);
  } catch (error) {
    reply.request.brokeOff = true;
    const { code, cause } = failureFrom(error);
    services.log.warn({ request_id: context.requestId, code, cause }, 'the speech stream failed');
    // Nothing else tells a client that an audio file is incomplete.
    reply.raw.destroy();
  }
}

async function* toBlocks(events: Sound, input: string): AsyncGenerator<string> {
  for await (const event of events) {
    if (event.type !== 'sound' || event.bytes.length === 0) continue;
    const audio = toBuffer(event.bytes).toString('base64');
    yield toEvent({ type: 'speech.audio.delta', audio } satisfies SpeechEvent);
  }
  const usage = { type: 'characters' as const, characters: charactersOf(input) };
  yield toEvent({ type: 'speech.audio.done', usage } satisfies SpeechEvent);
  yield DONE;
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
