/** What the types of `askd/client` have beside the routes: the same as src/client exports. */
export const HEAD = `export type ClientOptions = {
  /** Of the daemon, with or without /v1; http://127.0.0.1:11535 when absent. */
  baseURL?: string;
  /** An API key, or what gets one when it is needed. */
  apiKey?: string | (() => string | Promise<string>);
  /** The cookie of a script's session, for the routes that no API key opens: askd session create */
  session?: string;
  /** After the first attempt; 2 when absent. */
  maxRetries?: number;
  /** A server that wants to be left alone for longer is not asked again; a minute when absent. */
  maxRetryWaitMs?: number;
  /** Until a stream begins, or any other response is whole; ten minutes when absent, Infinity for no limit. */
  timeoutMs?: number;
  headers?: Record<string, string>;
  fetch?: typeof globalThis.fetch;
};

export type RequestOptions = {
  signal?: AbortSignal;
  maxRetries?: number;
  timeoutMs?: number;
  headers?: Record<string, string>;
  /** Sent by every POST that may be retried, so that its work is not done twice; a new one for each call when absent. */
  idempotencyKey?: string;
};

/** The server answered with an error. */
export class AskdError extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly type: string | undefined;
  /** The field of the request that caused it. */
  readonly param: string | undefined;
  /** Under which the daemon's log has it. */
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** Whether a later attempt can help, as the server says, or by its status. */
  readonly shouldRetry: boolean;
  /** All that the server said about the error. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** No whole answer came: the server was not reached, the connection broke, or the time was up. */
export class AskdConnectionError extends Error {}

/** A webhook was not sent by the owner of the secret, or too long ago. */
export class WebhookVerificationError extends Error {}

export type WebhookInput = {
  /** The body as it was received: what is parsed and written again has another signature. */
  body: string | Uint8Array;
  headers: Headers | Record<string, string | readonly string[] | undefined>;
  /** All that are valid now, during a rotation of secrets. */
  secret: string | readonly string[];
  now?: () => number;
};

/** Checks the signature of a webhook by the Standard Webhooks scheme, and gives its event. */
export function verifyWebhook(webhook: WebhookInput): Promise<WebhookEvent>;

/** A client of every route but chat. */
export function createClient(options?: ClientOptions): Client;
`;
