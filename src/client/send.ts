import { AskdConnectionError, AskdError } from './error.ts';
import { wait, waitAfter } from './retry.ts';

export type ClientOptions = {
  /** Of the daemon, with or without `/v1`. */
  baseURL?: string;
  /** An API key, or what gets one when it is needed. */
  apiKey?: string | (() => string | Promise<string>);
  /** The cookie of a script's session, for the routes that no API key opens. */
  session?: string;
  /** After the first attempt. */
  maxRetries?: number;
  /** Until a stream begins, or any other response is whole. */
  timeoutMs?: number;
  headers?: Record<string, string>;
  fetch?: typeof globalThis.fetch;
};

export type RequestOptions = {
  signal?: AbortSignal;
  maxRetries?: number;
  timeoutMs?: number;
  headers?: Record<string, string>;
  /** Sent by every POST, so that no retry does its work twice; a new one for each call when absent. */
  idempotencyKey?: string;
};

export type Request = { method: string; path: string; body?: unknown; accept: string };

/** A response of status 2xx. Until `release` is called, an abort also ends its body. */
export type Opened = { response: Response; release: () => void; signal: AbortSignal | undefined };

type Read<Result> = (opened: Opened) => Result | Promise<Result>;
export type Send = ReturnType<typeof createSend>;

const DEFAULT_BASE = 'http://127.0.0.1:11535';
const MAX_RETRIES = 2;
const TIMEOUT_MS = 600_000;

/** Sends requests by `fetch`, again where that can help, also after a connection that broke while its body was read. */
export function createSend(options: ClientOptions) {
  const base = (options.baseURL ?? DEFAULT_BASE).replace(/\/+$/, '').replace(/\/v1$/, '');

  return async function send<Result>(
    request: Request,
    own: RequestOptions = {},
    read: Read<Result>,
  ): Promise<Result> {
    const { signal, maxRetries = options.maxRetries ?? MAX_RETRIES } = own;
    const timeoutMs = own.timeoutMs ?? options.timeoutMs ?? TIMEOUT_MS;
    const init = await initOf(request, options, own);
    // Looked up late, so that a program may replace the global one.
    const open = (aborts: AbortSignal) =>
      (options.fetch ?? globalThis.fetch)(base + request.path, { ...init, signal: aborts });
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await attemptOnce({ open, read, timeoutMs, signal });
      if ('result' in outcome) return outcome.result;
      signal?.throwIfAborted();
      const waitMs = attempt < maxRetries ? waitAfter(outcome.response, attempt) : undefined;
      if (waitMs === undefined) throw await errorOf(outcome, base);
      await outcome.response?.body?.cancel();
      await wait(waitMs, signal);
    }
  };
}

async function initOf(
  { method, body, accept }: Request,
  { apiKey, session, headers }: ClientOptions,
  own: RequestOptions,
): Promise<RequestInit> {
  const key = typeof apiKey === 'function' ? await apiKey() : apiKey;
  const isJson = body !== undefined && !(body instanceof FormData);
  return {
    method,
    headers: {
      accept,
      ...(isJson && { 'content-type': 'application/json' }),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(session !== undefined && { cookie: session }),
      ...(method === 'POST' && { 'idempotency-key': own.idempotencyKey ?? crypto.randomUUID() }),
      ...headers,
      ...own.headers,
    },
    ...(body !== undefined && { body: isJson ? JSON.stringify(body) : body }),
  };
}

type Attempt<Result> = {
  open: (aborts: AbortSignal) => Promise<Response>;
  read: Read<Result>;
  timeoutMs: number;
  signal: AbortSignal | undefined;
};
type Failed = { response?: Response; cause?: unknown };

/** What was read, or a response of another status, or why there is none. */
async function attemptOnce<Result>(attempt: Attempt<Result>): Promise<{ result: Result } | Failed> {
  const { open, read, timeoutMs, signal } = attempt;
  signal?.throwIfAborted();
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  const release = () => signal?.removeEventListener('abort', abort);
  signal?.addEventListener('abort', abort, { once: true });
  const timeout = new AskdConnectionError(`No answer within ${timeoutMs / 1000} s.`);
  const timer = setTimeout(() => controller.abort(timeout), timeoutMs);
  try {
    const response = await open(controller.signal);
    if (response.ok) return { result: await read({ response, release, signal }) };
    release();
    return { response };
  } catch (cause) {
    release();
    return { cause: controller.signal.aborted ? controller.signal.reason : cause };
  } finally {
    clearTimeout(timer);
  }
}

async function errorOf({ response, cause }: Failed, base: string): Promise<Error> {
  if (response) return new AskdError(response.status, await bodyOf(response), response.headers);
  if (cause instanceof AskdConnectionError) return cause;
  return new AskdConnectionError(`No whole answer from ${base}. Is askd running there? askd up`, { cause });
}

async function bodyOf(response: Response): Promise<unknown> {
  return response.json().catch(() => undefined);
}
