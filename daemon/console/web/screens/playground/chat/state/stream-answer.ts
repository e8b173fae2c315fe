import type { ChatCompletionChunk } from '../../../../../../../src/api/chat/chat.ts';
import { infer, readEvents } from '../../../../data/playground-key.ts';
import { addChunk } from './answer.ts';
import type { AnswerTurn, Problem } from './turn.ts';

type Failure = { error?: { message: string; param?: string | null } };

/** The daemon ended an answer with an error after it had started. */
export class BrokenAnswer extends Error {
  readonly param: string | null;

  constructor({ message, param }: Problem) {
    super(message);
    this.param = param;
  }
}

type Request<Chunk> = {
  path: string;
  body: object;
  signal: AbortSignal;
  toChunk: (chunk: Chunk) => ChatCompletionChunk;
};

/** The answer as it grows. */
export async function* streamAnswer<Chunk>(
  answer: AnswerTurn,
  { path, body, signal, toChunk }: Request<Chunk>,
): AsyncGenerator<AnswerTurn> {
  const began = performance.now();
  const response = await infer(path, body, signal);
  let now = served(answer, response.headers);
  yield now;
  for await (const data of readEvents(response)) {
    if (data === '[DONE]') return;
    const chunk = JSON.parse(data) as Chunk & Failure;
    if (chunk.error) throw new BrokenAnswer({ param: null, ...chunk.error });
    now = addChunk(now, toChunk(chunk), performance.now() - began);
    yield now;
  }
  throw new BrokenAnswer({ message: 'The connection ended before the answer was complete.', param: null });
}

function served(answer: AnswerTurn, headers: Headers): AnswerTurn {
  const id = headers.get('x-request-id');
  const [artifact, device] = [headers.get('x-askd-artifact'), headers.get('x-askd-device')];
  return {
    ...answer,
    ...(id !== null && { requests: [...answer.requests, { id }] }),
    ...(artifact !== null && { servedBy: [artifact, device].filter(Boolean).join(' on ') }),
  };
}
