import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Failure } from '../../src/base/errors.ts';
import { toErrorBody } from '../../src/base/errors.ts';
import { failureFrom } from './error-mapping.ts';
import { takeTurn } from './take-turn.ts';

const PING_EVERY_MS = 15_000;
/** Headers are sent with the first block; if there is none yet, with a comment. */
const FIRST_PING_MS = 1_000;
/** Of an answer that is there already; then others have their turn. */
export const BLOCKS_A_TURN = 8;
export const PING = ':\n\n';
export const DONE = 'data: [DONE]\n\n';

export function toEvent(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

/** With its name on its own line, as in some APIs. */
export function toNamedEvent(name: string, value: unknown): string {
  return `event: ${name}\n${toEvent(value)}`;
}

export type SseOptions = {
  reply: FastifyReply;
  /** Blocks of `data:` lines. A failure becomes one last error event, and the stream closes without [DONE]. */
  blocks: AsyncIterator<string>;
  onFailure: (failure: Failure) => void;
  /** For APIs whose failures have another shape in a stream. */
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
  return readEvents(blocks, reply.raw, failed);
}

function toErrorEvent(failure: Failure): string {
  return toEvent(toErrorBody(failure));
}

type Blocks = SseOptions['blocks'];
type Written = Pick<ServerResponse, 'cork' | 'uncork' | 'writableCorked' | 'writableEnded'>;

/** With comments during a long prefill, so that no proxy in between gives up. */
function readEvents(blocks: Blocks, response: Written, toFailureBlock: (failure: Failure) => string) {
  let isReading = false;
  let isOver = false;
  let silenceMs = FIRST_PING_MS;
  let pings: NodeJS.Timeout | undefined;

  async function read(): Promise<void> {
    try {
      for (let count = 1; ; count += 1) {
        const step = await blocks.next();
        if (step.done) return end();
        waitForSilence(PING_EVERY_MS);
        corkTurn(response);
        if (!stream.push(step.value)) break;
        if (count % BLOCKS_A_TURN === 0) await takeTurn();
      }
    } catch (error) {
      stream.push(toFailureBlock(failureFrom(error)));
      return end();
    }
    isReading = false;
  }

  function ping(): void {
    if (stream.readableLength === 0) stream.push(PING);
    waitForSilence(PING_EVERY_MS);
  }

  function waitForSilence(ms: number): void {
    if (isOver) return;
    if (pings && ms === silenceMs) return void pings.refresh();
    clearTimeout(pings);
    silenceMs = ms;
    pings = setTimeout(ping, ms);
  }

  function end(): void {
    stop();
    stream.push(null);
  }

  function stop(): void {
    isOver = true;
    clearTimeout(pings);
  }

  const stream = new Readable({
    objectMode: true,
    read() {
      if (isReading) return;
      isReading = true;
      if (!pings) waitForSilence(FIRST_PING_MS);
      void read();
    },
    destroy(error, done) {
      stop();
      const finished = () => done(error);
      void Promise.resolve(blocks.return?.()).then(finished, finished);
    },
  });
  return stream;
}

/** Everything that comes in one turn of the event loop is sent in one piece. */
function corkTurn(response: Written): void {
  if (response.writableCorked > 0) return;
  response.cork();
  setImmediate(() => {
    if (!response.writableEnded) response.uncork();
  });
}

/** Undefined if the time is up first. */
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
