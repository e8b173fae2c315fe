import { anySignal } from '../../base/any-signal.ts';
import type { Form } from '../../base/form.ts';
import { fillPath, toQuery, type Query } from '../../client/address.ts';
import { AskdError } from '../../client/error.ts';
import { readBytes, readEvents, readMessages, type Message } from '../../client/events.ts';
import { createSend, type Fetch, type Opened } from '../../client/send.ts';
import { ACCOUNT_HEADER } from '../account/account-header.ts';
import type { Endpoint, EventOf, ResponseOf } from '../endpoint.ts';
import { failureOf } from './failure.ts';
import { createFetch, trustOnly, type Connection } from './node-fetch.ts';

export type Target = {
  /** Root URL of the server, without `/v1`. */
  url: string;
  token?: string;
  /** The account that requests with the root token are for. */
  account?: string;
  /** Whether the server is on another machine, where it cannot be started. */
  remote: boolean;
  /** The expected certificate as PEM, for a server that is verified by its certificate instead of its name. */
  certificate?: string;
};

export type Call = {
  params?: Record<string, string>;
  /** Undefined values are omitted. */
  query?: Query;
  headers?: Record<string, string>;
  body?: unknown;
  /** A multipart form instead of a JSON body. */
  form?: Form;
  /** Idle timeout of the connection. */
  silenceMsMax?: number;
  maxRetries?: number;
  maxRetryWaitMs?: number;
  signal?: AbortSignal;
};

const SILENCE_MS_MAX = 30_000;
/** A person waiting for a command should get the error instead of a longer wait. */
const RETRY_WAIT_MS_MAX = 3_000;
/** Only for a connection that was open and broke. If nothing is listening, another attempt only delays the error. */
const RETRIED: unknown[] = ['ECONNRESET', 'EPIPE'];

export type Http = ReturnType<typeof createHttp>;

/** Calls the endpoints of the contract through the client that other programs use, over Node's http. */
export function createHttp(
  target: Target,
  signal: AbortSignal,
  { maxRetries }: { maxRetries?: number } = {},
) {
  const { url: baseURL, token: apiKey, account, certificate } = target;
  const trust = certificate === undefined ? {} : { trust: trustOnly(certificate) };

  async function send<Result>(
    { method, path }: Endpoint,
    options: Call,
    accept: string,
    read: (opened: Opened) => Result | Promise<Result>,
  ): Promise<Result> {
    const { params = {}, query, body, form, silenceMsMax = SILENCE_MS_MAX, ...rest } = options;
    const { maxRetryWaitMs = RETRY_WAIT_MS_MAX, ...own } = rest;
    const final = new AbortController();
    const ended = anySignal(final.signal, signal, ...(own.signal ? [own.signal] : []));
    const fetch = giving(final, { ...trust, silenceMsMax, form });
    const by = createSend({
      ...{ baseURL, fetch, timeoutMs: Infinity, maxRetryWaitMs },
      ...(apiKey !== undefined && { apiKey }),
      ...(account !== undefined && { headers: { [ACCOUNT_HEADER]: account } }),
      ...(maxRetries !== undefined && { maxRetries }),
    });
    const address = fillPath(path, (name) => params[name] ?? '') + toQuery(query);
    const request = { method, path: address, accept, body };
    return guard(by(request, { ...own, signal: ended }, read), own);
  }

  async function guard<T>(work: Promise<T>, { signal: own }: Call): Promise<T> {
    try {
      return await work;
    } catch (error) {
      signal.throwIfAborted();
      own?.throwIfAborted();
      throw failureOf(error, target);
    }
  }

  async function* guarded<T, R>(parts: AsyncGenerator<T, R>, options: Call): AsyncGenerator<T, R> {
    try {
      for (;;) {
        const part = await guard(parts.next(), options);
        if (part.done) return part.value;
        yield part.value;
      }
    } finally {
      await parts.return(undefined as R);
    }
  }

  function call<E extends Endpoint>(endpoint: E, options: Call = {}): Promise<ResponseOf<E>> {
    return send(endpoint, options, 'application/json', readJson) as Promise<ResponseOf<E>>;
  }

  /** Opens a stream. An error before it starts is an ordinary failure, and so is an error that it reports. */
  async function open<E extends Endpoint>(endpoint: E, options: Call = {}) {
    const opened = await send(endpoint, options, 'text/event-stream', eventStream);
    let isWhole = false;
    async function* events(): AsyncGenerator<EventOf<E>, void> {
      isWhole = yield* guarded(readEvents(opened) as AsyncGenerator<EventOf<E>, boolean>, options);
    }
    return { headers: opened.response.headers, events: events(), isWhole: () => isWhole };
  }

  async function* stream<E extends Endpoint>(endpoint: E, options: Call = {}): AsyncGenerator<EventOf<E>> {
    yield* (await open(endpoint, options)).events;
  }

  /** With the ids at which a stream can be resumed. */
  async function* messages(endpoint: Endpoint, options: Call = {}): AsyncGenerator<Message> {
    yield* guarded(readMessages(await send(endpoint, options, 'text/event-stream', eventStream)), options);
  }

  /** A binary response; an error before its first byte is an ordinary failure. */
  async function* bytes(endpoint: Endpoint, options: Call = {}): AsyncGenerator<Buffer> {
    const opened = await send(endpoint, options, '*/*', (each) => each);
    yield* guarded(readBytes(opened) as AsyncGenerator<Buffer>, options);
  }

  return { call, open, stream, messages, bytes };
}

/** Errors that every retry would repeat abort the request, and with it the retries. */
function giving(final: AbortController, connection: Connection): Fetch {
  const fetch = createFetch({ ...connection, onSilence: (error) => final.abort(error) });
  return (url, init) =>
    fetch(url, init).catch((error: NodeJS.ErrnoException) => {
      if (!RETRIED.includes(error.code)) final.abort(error);
      throw error;
    });
}

async function readJson({ response, release }: Opened): Promise<unknown> {
  const body = parseJson(await response.text());
  release();
  if (body === undefined) throw new AskdError(response.status, body, response.headers);
  return body;
}

async function eventStream(opened: Opened): Promise<Opened> {
  const { response } = opened;
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) return opened;
  throw new AskdError(response.status, parseJson(await response.text()), response.headers);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
