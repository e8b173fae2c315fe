import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Failure } from '../../src/base/errors.ts';
import { failureFrom } from './error-mapping.ts';
import { BLOCKS_A_TURN } from './sse.ts';
import { takeTurn } from './take-turn.ts';

export type LinesOptions = {
  reply: FastifyReply;
  lines: AsyncIterable<unknown>;
  /** Once headers are sent, a failure is the last line. */
  toFailureLine: (failure: Failure) => unknown;
  onFailure: (failure: Failure) => void;
};

/** A stream of JSON values, one per line. */
export function sendLines(options: LinesOptions): NodeJS.ReadableStream {
  void options.reply.headers({
    'content-type': 'application/x-ndjson',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
  });
  return Readable.from(written(options), { objectMode: true });
}

async function* written({ reply, lines, toFailureLine, onFailure }: LinesOptions): AsyncGenerator<string> {
  try {
    let count = 0;
    for await (const line of lines) {
      yield toLine(line);
      count += 1;
      if (count % BLOCKS_A_TURN === 0) await takeTurn();
    }
  } catch (error) {
    const failure = failureFrom(error);
    reply.request.brokeOff = true;
    onFailure(failure);
    yield toLine(toFailureLine(failure));
  }
}

function toLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
