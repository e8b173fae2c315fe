import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { Failure, isFailureCode } from '../base/errors.ts';
import { formPayload, jsonPayload, type Form, type Payload } from '../base/form.ts';
import type { Connection } from './connection.ts';
import { createServers, type Server } from './servers.ts';

const CONNECT_MS_MAX = 5_000;
/** A server may be silent this long while it processes a long prompt. */
const SILENCE_MS_MAX = 600_000;
/** Shorter keys occur in ordinary words. */
const CONCEALED_LENGTH_MIN = 6;
const ERROR_BYTES_MAX = 65_536;

export type Answer = {
  body: Dispatcher.ResponseData['body'];
  /** The content type of the response. */
  type: string;
  /** Redacts the key in the server's messages, which may quote it. */
  conceal: (text: string) => string;
  /** Must be called once nothing more is read. */
  end: () => void;
};

/** An object is sent as JSON; a form's file is read again for each server that is tried. */
export type Body = object | FormBody;
type FormBody = { [FORM]: Form };
const FORM = Symbol('form');

export function formBody(form: Form): FormBody {
  return { [FORM]: form };
}

async function payloadOf(body: Body): Promise<Payload> {
  return FORM in body ? formPayload(body[FORM]) : jsonPayload(body);
}

export type Asking<Result> = {
  signal: AbortSignal;
  /** Reads as much as must arrive before this server counts as the one that answers. */
  read: (answer: Answer) => Promise<Result>;
};

/** The server is down, busy or broken. Errors of the request itself would be the same on any other server. */
const ANOTHER_MAY_DO_BETTER: readonly string[] = ['upstream_unavailable', 'upstream_failed'];

export type Send = ReturnType<typeof createSend>['send'];

/**
 * Tries the best server, then the next one if it fails before it answers. A rejected request is not retried
 * elsewhere.
 */
export function createSend({ urls, key }: Connection) {
  const servers = createServers(urls);
  const conceal = (text: string) =>
    key !== undefined && key.length >= CONCEALED_LENGTH_MIN ? text.replaceAll(key, '[redacted]') : text;
  let opened: ReturnType<typeof openAgent> | undefined;

  async function send<Result>(path: string, body: Body, asking: Asking<Result>): Promise<Result> {
    let failure = new Failure('upstream_unavailable', 'This model has no upstream server.');
    for (const server of servers.inOrder()) {
      asking.signal.throwIfAborted();
      try {
        return await ask(server, path, { ...asking, body });
      } catch (error) {
        asking.signal.throwIfAborted();
        if (!(error instanceof Failure)) throw error;
        failure = error;
        if (!ANOTHER_MAY_DO_BETTER.includes(failure.code)) throw failure;
      }
    }
    throw failure;
  }

  async function ask<Result>(
    server: Server,
    path: string,
    { body, signal, read }: Asking<Result> & { body: Body },
  ): Promise<Result> {
    server.running += 1;
    const end = once(() => (server.running -= 1));
    try {
      const response = await reach(server, path, { body, signal });
      if (response.statusCode >= 300) throw await toFailure(server, response, conceal);
      const type = String(response.headers['content-type'] ?? '');
      const result = await read({ body: response.body, type, conceal, end });
      servers.succeeded(server);
      return result;
    } catch (error) {
      end();
      if (signal.aborted) throw error;
      if (error instanceof Failure && ANOTHER_MAY_DO_BETTER.includes(error.code)) servers.failed(server);
      else servers.succeeded(server);
      throw error;
    }
  }

  async function reach({ url }: Server, path: string, { body, signal }: { body: Body; signal: AbortSignal }) {
    const { request, dispatcher } = await (opened ??= openAgent());
    const { type, length, chunks } = await payloadOf(body);
    try {
      return await request(url + path, {
        method: 'POST',
        headers: {
          'content-type': type,
          'content-length': String(length),
          ...(key && { authorization: `Bearer ${key}` }),
        },
        body: Array.isArray(chunks) ? Buffer.concat(chunks) : Readable.from(chunks, { objectMode: false }),
        dispatcher,
        signal,
      });
    } catch (cause) {
      const message = `${url} cannot be reached: ${textOf(cause)}.`;
      throw new Failure('upstream_unavailable', message, { cause: textOf(cause) });
    }
  }

  return { send, servers: servers.states, close };

  async function close(): Promise<void> {
    await (await opened)?.dispatcher.destroy();
  }
}

/** Imported with the first request: most daemons have no upstream, and every start would wait for it. */
async function openAgent() {
  const { Agent, request } = await import('undici');
  const dispatcher = new Agent({
    connect: { timeout: CONNECT_MS_MAX },
    headersTimeout: SILENCE_MS_MAX,
    bodyTimeout: SILENCE_MS_MAX,
  });
  return { request, dispatcher };
}

/** An error of the other server is the client's fault, or askd's configuration, or temporary. */
async function toFailure(
  { url }: Server,
  { statusCode, headers, body }: Dispatcher.ResponseData,
  conceal: Answer['conceal'],
) {
  const { message, code, param } = readError(await readStart(body), conceal);
  const reason = message ?? `status ${statusCode}`;
  if (statusCode === 401 || statusCode === 403) {
    return new Failure(
      'upstream_refused',
      `${url} rejected its API key. Set the right one: askd upstream add`,
    );
  }
  if (statusCode === 400 || statusCode === 413 || statusCode === 422) {
    const known = isFailureCode(code) ? code : 'invalid_value';
    return new Failure(known, reason, { ...(param !== undefined && { param }) });
  }
  if (statusCode < 500 && statusCode !== 408 && statusCode !== 429) {
    return new Failure('upstream_refused', `${url} rejected the request: ${reason}`);
  }
  const wait = Number(headers['retry-after']);
  return new Failure('upstream_unavailable', `${url} is unavailable: ${reason}`, {
    ...(wait > 0 && { retryAfterSeconds: Math.ceil(wait) }),
  });
}

async function readStart(body: Dispatcher.ResponseData['body']): Promise<string> {
  let text = '';
  for await (const chunk of body) {
    text += String(chunk);
    if (text.length > ERROR_BYTES_MAX) break;
  }
  return text;
}

type Sent = { message?: string; code?: string; param?: string };

/** OpenAI-compatible servers put it under `error`; some at the top level. */
export function readError(text: string, conceal: Answer['conceal']): Sent {
  const parsed = parseJson(text) as { error?: unknown } | undefined;
  const detail = typeof parsed?.error === 'object' ? parsed.error : parsed;
  const { message, code, param } = (detail ?? {}) as Record<string, unknown>;
  return {
    ...(typeof message === 'string' && { message: conceal(message) }),
    ...(typeof code === 'string' && { code }),
    ...(typeof param === 'string' && { param: conceal(param) }),
  };
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function textOf(cause: unknown): string {
  return cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : String(cause);
}

function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (!done) work();
    done = true;
  };
}
