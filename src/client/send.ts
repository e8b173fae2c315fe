import { AskdConnectionError, AskdError, type ResponseHeaders } from './error.ts';
import { withRetries } from './retry.ts';

/** The part of the global `fetch` that is used. */
export type Fetch = (url: string, init: RequestInit) => Promise<Answer>;
export type Answer = {
  ok: boolean;
  status: number;
  headers: ResponseHeaders;
  body: { getReader: () => BodyReader } | null;
  text: () => Promise<string>;
};
export type BodyReader = {
  read: () => Promise<{ done?: boolean | undefined; value?: Uint8Array | undefined }>;
  cancel: () => Promise<void>;
};

export type ClientOptions = {
  /** URL of the daemon, with or without `/v1`. */
  baseURL?: string;
  /** An API key, or a function that gets one when it is needed. */
  apiKey?: string | (() => string | Promise<string>);
  /** The cookie of a script's session, for routes that no API key opens. */
  session?: string;
  /** After the first attempt. */
  maxRetries?: number;
  /** If a server asks for a longer wait, the request is not retried. */
  maxRetryWaitMs?: number;
  /** Until a stream starts, or until any other response is complete; `Infinity` for no limit. */
  timeoutMs?: number;
  headers?: Record<string, string>;
  fetch?: Fetch;
};

export type RequestOptions = {
  signal?: AbortSignal;
  maxRetries?: number;
  timeoutMs?: number;
  headers?: Record<string, string>;
  /**
   * Sent with every POST that may be retried, so that its work is not done twice; if absent, each call gets a new
   * one.
   */
  idempotencyKey?: string;
};

export type Request = { method: string; path: string; body?: unknown; accept: string };

/** A 2xx response. Until `release` is called, an abort also ends its body. */
export type Opened = { response: Answer; release: () => void; signal: AbortSignal | undefined };

type Read<Result> = (opened: Opened) => Result | Promise<Result>;
export type Send = ReturnType<typeof createSend>;

const DEFAULT_BASE = 'http://127.0.0.1:11535';
const MAX_RETRIES = 2;
const TIMEOUT_MS = 600_000;

/**
 * Sends requests with `fetch`, and retries where that can help, even after a connection broke while the body was
 * read.
 */
export function createSend(options: ClientOptions) {
  const base = (options.baseURL ?? DEFAULT_BASE).replace(/\/+$/, '').replace(/\/v1$/, '');

  return async function send<Result>(
    request: Request,
    own: RequestOptions = {},
    read: Read<Result>,
  ): Promise<Result> {
    const { signal, maxRetries = options.maxRetries ?? MAX_RETRIES } = own;
    const timeoutMs = own.timeoutMs ?? options.timeoutMs ?? TIMEOUT_MS;
    const init = await initOf(request, options, { ...own, maxRetries });
    // Looked up late, so that a program can replace the global one.
    const open = (aborts: AbortSignal) =>
      (options.fetch ?? globalThis.fetch)(base + request.path, { ...init, signal: aborts });
    const { maxRetryWaitMs } = options;
    return withRetries(() => attempt({ base, open, read, timeoutMs, signal }), {
      maxRetries,
      maxRetryWaitMs,
      signal,
    });
  };
}

async function initOf(
  { method, body, accept }: Request,
  { apiKey, session, headers }: ClientOptions,
  own: RequestOptions & { maxRetries: number },
): Promise<RequestInit> {
  const key = typeof apiKey === 'function' ? await apiKey() : apiKey;
  const isJson = body !== undefined && !isForm(body);
  const hasKey = method === 'POST' && (own.maxRetries > 0 || own.idempotencyKey !== undefined);
  return {
    method,
    headers: {
      accept,
      ...(isJson && { 'content-type': 'application/json' }),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(session !== undefined && { cookie: session }),
      ...(hasKey && { 'idempotency-key': own.idempotencyKey ?? crypto.randomUUID() }),
      ...headers,
      ...own.headers,
    },
    ...(body !== undefined && { body: isForm(body) ? body : JSON.stringify(body) }),
  };
}

/** Not by `instanceof`, which takes Node 60 ms to load its own class. */
function isForm(body: unknown): body is FormData {
  return Object.prototype.toString.call(body) === '[object FormData]';
}

type Attempt<Result> = {
  base: string;
  open: (aborts: AbortSignal) => Promise<Answer>;
  read: Read<Result>;
  timeoutMs: number;
  signal: AbortSignal | undefined;
};

/** The body. Anything that prevents reading it is an error of the server or of the connection. */
async function attempt<Result>({ base, open, read, timeoutMs, signal }: Attempt<Result>): Promise<Result> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  const release = () => signal?.removeEventListener('abort', abort);
  signal?.addEventListener('abort', abort, { once: true });
  const timeout = new AskdConnectionError(`No answer within ${timeoutMs / 1000} s.`);
  const timer = timeoutMs === Infinity ? undefined : setTimeout(() => controller.abort(timeout), timeoutMs);
  try {
    const response = await open(controller.signal);
    if (!response.ok) throw new AskdError(response.status, await bodyOf(response), response.headers);
    return await read({ response, release, signal });
  } catch (cause) {
    release();
    signal?.throwIfAborted();
    if (controller.signal.aborted) throw timeout;
    if (cause instanceof AskdError || cause instanceof AskdConnectionError) throw cause;
    throw new AskdConnectionError(`No whole answer from ${base}. Is askd running there? askd up`, { cause });
  } finally {
    clearTimeout(timer);
  }
}

async function bodyOf(response: Answer): Promise<unknown> {
  try {
    return JSON.parse(await response.text()) as unknown;
  } catch {
    return undefined;
  }
}
