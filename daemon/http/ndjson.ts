import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Failure } from '../../src/base/errors.ts';
import { failureFrom } from './error-mapping.ts';

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
    for await (const line of lines) yield toLine(line);
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
