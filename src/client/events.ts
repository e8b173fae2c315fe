import { AskdConnectionError, AskdError } from './error.ts';
import type { Opened } from './send.ts';

/** An error in a stream comes after the status. */
const STREAM_STATUS = 500;

/** The events of a stream. Leaving the loop ends the request, and an error that the server reports is thrown. */
export async function* readEvents(opened: Opened): AsyncGenerator<unknown> {
  for await (const data of readData(opened)) {
    if (data === '[DONE]') return;
    const event = parse(data);
    if (isError(event)) throw new AskdError(STREAM_STATUS, event, opened.response.headers);
    yield event;
  }
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data) as unknown;
  } catch (cause) {
    throw new AskdConnectionError('The stream has an event that is not JSON.', { cause });
  }
}

/** Some events report an error of what they are about, which is for the caller. */
function isError(event: unknown): boolean {
  return isObject(event) && isObject(event['error']) && Object.keys(event).length === 1;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

async function* readData(opened: Opened): AsyncGenerator<string> {
  let data: string[] = [];
  for await (const line of readLines(opened)) {
    if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
    else if (line === '' && data.length > 0) {
      yield data.join('\n');
      data = [];
    }
  }
}

async function* readLines({ response: { body }, release, signal }: Opened): AsyncGenerator<string> {
  if (body === null) return release();
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
    }
  } catch (cause) {
    signal?.throwIfAborted();
    throw new AskdConnectionError('The connection broke in the middle of the stream.', { cause });
  } finally {
    release();
    await reader.cancel().catch(() => undefined);
  }
}
