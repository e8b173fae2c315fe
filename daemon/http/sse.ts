import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Failure } from '../../src/base/errors.ts';
import { toErrorBody } from '../../src/base/errors.ts';
import { failureFrom } from './error-mapping.ts';

const PING_EVERY_MS = 15_000;
/** Headers go out with the first block; if there is none yet, a comment carries them. */
const FIRST_PING_MS = 1_000;
export const PING = ':\n\n';
export const DONE = 'data: [DONE]\n\n';

export function toEvent(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

/** With its name on a line of its own, as some APIs have it. */
export function toNamedEvent(name: string, value: unknown): string {
  return `event: ${name}\n${toEvent(value)}`;
}

export type SseOptions = {
  reply: FastifyReply;
  /** Blocks of `data:` lines. A failure becomes one last error event, and the stream closes without [DONE]. */
  blocks: AsyncIterator<string>;
  onFailure: (failure: Failure) => void;
  /** For APIs with another shape for a failure in a stream. */
  toFailureBlock?: (failure: Failure) => string;
};

export function sendEvents({
  reply,
  blocks,
  onFailure,
  toFailureBlock = toErrorEvent,
}: SseOptions): NodeJS.ReadableStream {
  void reply.headers({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
  });
  const failed = (failure: Failure) => {
    reply.request.brokeOff = true;
    onFailure(failure);
    return toFailureBlock(failure);
  };
  return Readable.from(withPings(untilFailure(blocks, failed)), { objectMode: true });
}

async function* untilFailure(blocks: AsyncIterator<string>, onFailure: (failure: Failure) => string) {
  try {
    for (let step = await blocks.next(); !step.done; step = await blocks.next()) yield step.value;
  } catch (error) {
    const failure = failureFrom(error);
    yield onFailure(failure);
  } finally {
    await blocks.return?.();
  }
}

function toErrorEvent(failure: Failure): string {
  return toEvent(toErrorBody(failure));
}

/** Comments during a long prefill, so that no proxy in between gives up. */
async function* withPings(blocks: AsyncGenerator<string>): AsyncGenerator<string> {
  let next = blocks.next();
  let silenceMs = FIRST_PING_MS;
  try {
    for (;;) {
      const step = await orTimeout(next, silenceMs);
      silenceMs = PING_EVERY_MS;
      if (step === undefined) yield PING;
      else if (step.done) return;
      else {
        yield step.value;
        next = blocks.next();
      }
    }
  } finally {
    await next.catch(() => undefined);
    await blocks.return(undefined);
  }
}

/** Undefined when the time is up first. */
export async function orTimeout<Result>(
  work: Promise<Result>,
  timeoutMs: number,
): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, undefined);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
