import { X509Certificate } from 'node:crypto';
import {
  request as requestHttp,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Readable } from 'node:stream';
import { anySignal } from '../../base/any-signal.ts';
import type { Endpoint, ResponseOf } from '../endpoint.ts';
import { formPayload, jsonPayload, type Form, type Payload } from '../../base/form.ts';
import { FAILURES, Failure, isFailureCode, type FailureCode } from '../../base/errors.ts';
import { readEvents, type ServerEvent } from './sse.ts';

export type Target = {
  /** Root URL of the server, without `/v1`. */
  url: string;
  token?: string;
  /** Whether the server is on another machine, where it cannot be started. */
  remote: boolean;
  /** The expected certificate as PEM, for a server that is verified by it instead of by its name. */
  certificate?: string;
};

export type Call = {
  params?: Record<string, string>;
  /** Undefined ones are omitted. */
  query?: Record<string, string | number | boolean | readonly string[] | undefined>;
  headers?: Record<string, string>;
  body?: unknown;
  /** A multipart form instead of a JSON body. */
  form?: Form;
  /** Idle timeout of the connection. */
  silenceMsMax?: number;
  signal?: AbortSignal;
};

type Opened = { headers: IncomingHttpHeaders; events: AsyncGenerator<ServerEvent> };

const SILENCE_MS_MAX = 30_000;
const BODY_BYTES_MAX = 64 * 1024 * 1024;

export type Http = ReturnType<typeof createHttp>;

/** Calls the endpoints of the contract. Not `fetch`: its browser headers make the daemon reject the root token. */
export function createHttp(target: Target, signal: AbortSignal) {
  const trust = target.certificate === undefined ? {} : trustOnly(target.certificate);
  const send = async (endpoint: Endpoint, wanted: Call, accept: string): Promise<IncomingMessage> => {
    const { params = {}, query = {}, body, form, silenceMsMax = SILENCE_MS_MAX } = wanted;
    const url = new URL(target.url + fillPath(endpoint.path, params));
    for (const [name, value] of Object.entries(query)) {
      for (const each of [value].flat()) if (each !== undefined) url.searchParams.append(name, String(each));
    }
    const payload = form ? await formPayload(form) : body === undefined ? undefined : jsonPayload(body);
    const headers = {
      ...wanted.headers,
      accept,
      ...(target.token && { authorization: `Bearer ${target.token}` }),
      ...(payload && { 'content-type': payload.type, 'content-length': payload.length }),
    };
    const ended = withSignal(signal, wanted.signal);
    return exchange(
      url,
      { method: endpoint.method, headers, agent: false, signal: ended, ...trust },
      payload,
      silenceMsMax,
    );
  };
  const guard = async <T>(work: Promise<T>, options: Call): Promise<T> => {
    try {
      return await work;
    } catch (cause) {
      throw explain(cause, target, withSignal(signal, options.signal));
    }
  };

  function call<E extends Endpoint>(endpoint: E, options: Call = {}): Promise<ResponseOf<E>> {
    const answer = send(endpoint, options, 'application/json').then(readJson);
    return guard(answer as Promise<ResponseOf<E>>, options);
  }

  /** Opens a stream. An error before it starts is an ordinary failure. */
  async function open(endpoint: Endpoint, options: Call = {}): Promise<Opened> {
    const response = await guard(send(endpoint, options, 'text/event-stream'), options);
    if (!isEventStream(response)) await guard(refuse(response), options);
    return { headers: response.headers, events: eventsOf(response, options) };
  }

  async function* eventsOf(response: IncomingMessage, options: Call): AsyncGenerator<ServerEvent> {
    const received = readEvents(response);
    try {
      for (;;) {
        const event = await guard(received.next(), options);
        if (event.done) return;
        yield event.value;
      }
    } finally {
      response.destroy();
    }
  }

  async function* events(endpoint: Endpoint, options: Call = {}): AsyncGenerator<ServerEvent> {
    yield* (await open(endpoint, options)).events;
  }

  /** The data of each event. */
  async function* stream(endpoint: Endpoint, options: Call = {}): AsyncGenerator<string> {
    for await (const { data } of events(endpoint, options)) yield data;
  }

  /** A binary response; an error before its first byte is an ordinary failure. */
  async function* bytes(endpoint: Endpoint, options: Call = {}): AsyncGenerator<Buffer> {
    const response = await guard(send(endpoint, options, '*/*'), options);
    if (response.statusCode !== 200) await guard(refuse(response), options);
    const chunks = (response as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
    try {
      for (;;) {
        const chunk = await guard(chunks.next(), options);
        if (chunk.done) return;
        yield chunk.value;
      }
    } finally {
      response.destroy();
    }
  }

  return { call, open, events, stream, bytes };
}

/** Whatever names the certificate has, and whoever issued it. */
function trustOnly(pem: string) {
  const { fingerprint256 } = new X509Certificate(pem);
  return {
    ca: pem,
    allowPartialTrustChain: true,
    checkServerIdentity: (host: string, shown: { fingerprint256: string }) =>
      shown.fingerprint256 === fingerprint256
        ? undefined
        : new Error(`${host} presents a different certificate than the local daemon`),
  };
}

function withSignal(first: AbortSignal, second?: AbortSignal): AbortSignal {
  return second === undefined ? first : anySignal(first, second);
}

export function fillPath(path: string, params: Record<string, string>): string {
  return path.replace(/\{(\w+)(\*?)\}/g, (_, name: string, many: string) => {
    const value = params[name] ?? '';
    return many ? value.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(value);
  });
}

async function exchange(
  url: URL,
  options: RequestOptions,
  payload: Payload | undefined,
  silenceMsMax: number,
): Promise<IncomingMessage> {
  const open = url.protocol === 'https:' ? (await import('node:https')).request : requestHttp;
  return new Promise((resolve, reject) => {
    const request = open(url, options, resolve);
    request.on('error', reject);
    request.setTimeout(silenceMsMax, () =>
      request.destroy(new Error(`no data for ${silenceMsMax / 1000} s`)),
    );
    if (payload) Readable.from(payload.chunks).on('error', reject).pipe(request);
    else request.end();
  });
}

function isEventStream(response: IncomingMessage): boolean {
  return (
    response.statusCode === 200 && (response.headers['content-type'] ?? '').startsWith('text/event-stream')
  );
}

async function readJson(response: IncomingMessage): Promise<unknown> {
  const status = response.statusCode ?? 0;
  const text = await readText(response);
  const body = parseJson(text);
  if (status >= 200 && status < 300 && body !== undefined) return body;
  throw failureFromBody(status, body, response.headers);
}

async function refuse(response: IncomingMessage): Promise<never> {
  const body = parseJson(await readText(response));
  throw failureFromBody(response.statusCode ?? 0, body, response.headers);
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) throw new Error('the response is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses an event of a stream, which may report a failure. */
export function parseEvent<Event extends object>(data: string): Event {
  const event = JSON.parse(data) as Event | { error: unknown };
  if ('error' in event) throw failureFromBody(500, event);
  return event;
}

/** A server's error as our own Failure. An unknown code becomes the closest one by its status. */
export function failureFromBody(status: number, body: unknown, headers: IncomingHttpHeaders = {}): Failure {
  const error = errorObject(body);
  if (error === undefined) {
    return new Failure('daemon_unreachable', `The server answered ${status} with an unexpected body.`);
  }
  const message = typeof error['message'] === 'string' ? error['message'] : `The server answered ${status}.`;
  const { fix } = error;
  const retryAfterSeconds = Number(headers['retry-after'] ?? NaN);
  return new Failure(isFailureCode(error['code']) ? error['code'] : codeForStatus(status), message, {
    ...(typeof fix === 'string' && { details: { fix } }),
    ...(retryAfterSeconds >= 0 && { retryAfterSeconds }),
  });
}

function errorObject(body: unknown): Record<string, unknown> | undefined {
  if (typeof body !== 'object' || body === null || !('error' in body)) return undefined;
  const { error } = body;
  return typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : undefined;
}

function codeForStatus(status: number): FailureCode {
  const match = (Object.keys(FAILURES) as FailureCode[]).find((code) => FAILURES[code].status === status);
  return status >= 500 || match === undefined ? 'internal_error' : match;
}

function explain(cause: unknown, target: Target, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (cause instanceof Failure) return cause;
  const reason = cause instanceof Error ? plainReason(cause) : String(cause);
  return new Failure('daemon_unreachable', `No valid response from ${target.url}: ${reason}.`, {
    cause,
    ...(target.remote && { details: { fix: 'check the address in --host or ASKD_BASE_URL' } }),
  });
}

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'nothing is listening there',
  ECONNRESET: 'the connection was closed',
  ENOTFOUND: 'the host name cannot be resolved',
  EHOSTUNREACH: 'the host cannot be reached',
  ETIMEDOUT: 'the host does not answer',
};

function plainReason(error: NodeJS.ErrnoException): string {
  return REASONS[error.code ?? ''] ?? error.message;
}
