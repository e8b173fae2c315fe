import { Failure } from '../base/errors.ts';
import type { Answer, Body, Send } from './send.ts';

const ANSWER_BYTES_MAX = 512 * 1024 * 1024;
const LINE_LENGTH_MAX = 64 * 1024 * 1024;

type Question = { path: string; body: Body; signal: AbortSignal };

/** A complete response. Undefined if the client has disconnected: an abort is not a failure. */
export async function answerTo(send: Send, { path, body, signal }: Question): Promise<unknown> {
  try {
    return await send(path, body, { signal, read: readWhole });
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

async function readWhole({ body, end }: Answer): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > ANSWER_BYTES_MAX) throw new Error('it is too long');
    }
    return JSON.parse(Buffer.concat(chunks).toString()) as unknown;
  } catch (cause) {
    const message = `The response of the upstream server cannot be parsed: ${(cause as Error).message}`;
    throw new Failure('upstream_failed', message, { cause });
  } finally {
    end();
  }
}

/** Waits for the first item: a server that fails before it can still be replaced by another. */
export async function withFirst<Item>(items: AsyncGenerator<Item>): Promise<AsyncGenerator<Item>> {
  const first = await items.next();
  return (async function* () {
    try {
      if (!first.done) yield first.value;
      yield* items;
    } finally {
      await items.return(undefined);
    }
  })();
}

/** Not with readline, which rethrows errors of its input after it was closed, where nobody can catch them. */
export async function* readLines(body: Answer['body']): AsyncGenerator<string> {
  let rest = '';
  // Leaving early is an error for the stream, but not for us.
  body.on('error', () => undefined);
  for await (const text of body.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop() ?? '';
    if (rest.length > LINE_LENGTH_MAX) throw new Error('a line of it is too long');
    yield* lines;
  }
  if (rest !== '') yield rest;
}

/** Maps the error that cut a response short. */
export function toBreak(cause: unknown): Failure {
  return cause instanceof Failure ? cause : brokeOff((cause as Error).message);
}

export function brokeOff(why = 'it ended early'): Failure {
  return new Failure('upstream_failed', `The upstream server stopped during the answer: ${why}. Try again.`);
}
