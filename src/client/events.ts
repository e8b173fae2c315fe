import { AskdConnectionError, AskdError } from './error.ts';
import type { Opened } from './send.ts';

/** An error within a stream arrives after the status. */
const STREAM_STATUS = 500;
const LINE_LENGTH_MAX = 16 * 1024 * 1024;

/**
 * The events of a stream. Leaving the loop ends the request, and an error that the server reports is thrown. Returns
 * whether the server marked the end of the stream.
 */
export async function* readEvents(opened: Opened): AsyncGenerator<unknown, boolean> {
  for await (const { data } of readMessages(opened)) {
    if (data === '[DONE]') return true;
    const event = parse(data);
    if (isError(event)) throw new AskdError(STREAM_STATUS, event, opened.response.headers);
    yield event;
  }
  return false;
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data) as unknown;
  } catch (cause) {
    throw new AskdConnectionError('The stream has an event that is not JSON.', { cause });
  }
}

/** Some events report an error in what they describe, which is for the caller. */
function isError(event: unknown): boolean {
  return isObject(event) && isObject(event['error']) && Object.keys(event).length === 1;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Events as they were sent, however their bytes were split. */
export type Message = { data: string; id?: string };

export async function* readMessages(opened: Opened): AsyncGenerator<Message> {
  let data: string[] = [];
  let id: string | undefined;
  for await (const line of readLines(opened)) {
    if (line.startsWith('data:')) data.push(valueOf(line));
    else if (line.startsWith('id:')) id = valueOf(line);
    else if (line === '') {
      if (data.length > 0) yield { data: data.join('\n'), ...(id !== undefined && { id }) };
      data = [];
      id = undefined;
    }
  }
}

function valueOf(line: string): string {
  return line.slice(line.indexOf(':') + 1).replace(/^ /, '');
}

async function* readLines(opened: Opened): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of readBytes(opened)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LINE_LENGTH_MAX)
      throw new AskdConnectionError('The stream has an event that is too long.');
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
  }
}

/** Leaving the loop ends the request. */
export async function* readBytes({
  response: { body },
  release,
  signal,
}: Opened): AsyncGenerator<Uint8Array> {
  if (body === null) return release();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      if (value) yield value;
    }
  } catch (cause) {
    signal?.throwIfAborted();
    throw new AskdConnectionError('The connection broke in the middle of the stream.', { cause });
  } finally {
    release();
    await reader.cancel().catch(() => undefined);
  }
}
