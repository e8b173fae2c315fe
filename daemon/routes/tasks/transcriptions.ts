import type { FastifyReply } from 'fastify';
import {
  createAudioTranslation,
  createTranscription,
  type TranscriptEvent,
  type TranscriptionRequest,
} from '../../../src/api/tasks/audio.ts';
import type { TranscriptFormat } from '../../../src/api/tasks/audio-formats.ts';
import { HEAD_BYTES, findContainer } from '../../../src/audio/containers.ts';
import { withFile } from '../../../src/audio/file-bytes.ts';
import { Failure } from '../../../src/base/errors.ts';
import type { TaskContext } from '../../../src/inference/items.ts';
import { createTranscript } from '../../../src/inference/transcript.ts';
import type { TranscribeInput } from '../../../src/inference/transcribe.ts';
import { readLanguage } from '../../../src/inference/translation/languages.ts';
import { createChannel } from '../../../src/runtime/channel.ts';
import type { Services } from '../../compose.ts';
import type { RegisterRoute } from '../../http/register-route.ts';
import { toContext } from '../../http/served.ts';
import { DONE, orTimeout, sendEvents, toEvent } from '../../http/sse.ts';

/** After this time the headers of a stream are sent; until then, a failure is a plain HTTP error. */
const FIRST_EVENT_WAIT_MS = 10_000;

const TYPES: Readonly<Record<TranscriptFormat, string>> = {
  json: 'application/json; charset=utf-8',
  verbose_json: 'application/json; charset=utf-8',
  text: 'text/plain; charset=utf-8',
  srt: 'application/x-subrip; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
};

/** Codes that Whisper spells differently. */
const OWN_CODES: Readonly<Record<string, string>> = { jv: 'jw', nb: 'no' };

type Parts = {
  body: TranscriptionRequest;
  task: 'transcribe' | 'translate';
  context: TaskContext;
  reply: FastifyReply;
};

export function registerTranscriptions(register: RegisterRoute, services: Services): void {
  register(createTranscription, async (call) => {
    const { body, reply } = call;
    return answer(services, { body, task: 'transcribe', context: toContext(call, services), reply });
  });
  register(createAudioTranslation, async (call) => {
    const { body, reply } = call;
    return answer(services, { body, task: 'translate', context: toContext(call, services), reply });
  });
}

async function answer(services: Services, parts: Parts) {
  const { body, reply } = parts;
  const { response_format: format = 'json', timestamp_granularities: granularities } = body;
  if (granularities && format !== 'verbose_json') {
    const message = 'timestamp_granularities needs response_format verbose_json.';
    throw new Failure('invalid_value', message, { param: 'timestamp_granularities' });
  }
  await withFile(body.file.path, async (file) => findContainer(await file.read(0, HEAD_BYTES)));
  const events = listen(services, parts);
  if (body.stream) return streamed(services, parts, events);
  let last: TranscriptEvent | undefined;
  for await (const event of events) last = event;
  if (last?.type !== 'transcript.text.done') throw new Error('A transcription ended without its text');
  void reply.type(TYPES[format]);
  if (format === 'json') return { text: last.text, usage: last.usage };
  return last.transcription ?? last.text;
}

/** The transcript as events of the requested format; the last one has all of it. */
async function* listen(
  { transcribe }: Services,
  { body, task, context }: Parts,
): AsyncGenerator<TranscriptEvent> {
  const { response_format: format = 'json', timestamp_granularities: granularities = ['segment'] } = body;
  const transcript = createTranscript({ format, task, granularities });
  for await (const event of transcribe.transcribe(toInput(body, task), context))
    yield* transcript.take(event);
}

function toInput(body: TranscriptionRequest, task: Parts['task']): TranscribeInput {
  const { model, language, prompt, temperature = 0, stream = false } = body;
  const code = language === undefined ? undefined : readLanguage(language, 'language').code;
  return {
    ...{ model, stream, task, temperature, path: body.file.path },
    ...(code !== undefined && { language: OWN_CODES[code] ?? code }),
    ...(prompt !== undefined && prompt !== '' && { prompt }),
    words: body.timestamp_granularities?.includes('word') ?? false,
  };
}

async function streamed(
  { log }: Services,
  { context, reply }: Parts,
  events: AsyncGenerator<TranscriptEvent>,
) {
  const blocks = createChannel<string>();
  // The work does not wait for its reader: it ends when it is done, or when the client disconnects.
  void forward(events, (block) => blocks.push(block)).then(blocks.end, blocks.fail);
  const iterator = blocks.iterate();
  const first = iterator.next();
  await orTimeout(first, FIRST_EVENT_WAIT_MS);
  return sendEvents({
    reply,
    blocks: withFirst(first, iterator),
    onFailure: ({ code, cause }) => log.warn({ request_id: context.requestId, code, cause }, 'stream failed'),
  });
}

async function forward(events: AsyncIterable<TranscriptEvent>, push: (block: string) => void): Promise<void> {
  for await (const event of events) push(toEvent(event));
  push(DONE);
}

async function* withFirst<Block>(first: Promise<IteratorResult<Block>>, rest: AsyncGenerator<Block>) {
  const step = await first;
  if (!step.done) yield step.value;
  yield* rest;
}
