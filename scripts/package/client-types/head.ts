/** What the types of `askd/client` have besides the routes: the same as src/client exports. */
export const HEAD = `export type ClientOptions = {
  /** URL of the daemon, with or without /v1; http://127.0.0.1:11535 if absent. */
  baseURL?: string;
  /** An API key, or a function that gets one when it is needed. */
  apiKey?: string | (() => string | Promise<string>);
  /** The cookie of a script's session, for routes that no API key opens: askd session create */
  session?: string;
  /** After the first attempt; 2 if absent. */
  maxRetries?: number;
  /** If a server asks for a longer wait, the request is not retried; a minute if absent. */
  maxRetryWaitMs?: number;
  /** Until a stream starts, or until any other response is complete; ten minutes if absent, Infinity for no limit. */
  timeoutMs?: number;
  headers?: Record<string, string>;
  fetch?: typeof globalThis.fetch;
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

/** The server responded with an error. */
export class AskdError extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly type: string | undefined;
  /** The field of the request that caused it. */
  readonly param: string | undefined;
  /** The id under which the daemon logged it. */
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** Whether a later attempt can help, according to the server or else to its status. */
  readonly shouldRetry: boolean;
  /** All that the server said about the error. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** No complete answer arrived: the server could not be reached, the connection broke, or the time was up. */
export class AskdConnectionError extends Error {}

/** A webhook was not sent by the owner of the secret, or is too old. */
export class WebhookVerificationError extends Error {}

export type WebhookInput = {
  /** The body exactly as received: parsed and serialized again, it has a different signature. */
  body: string | Uint8Array;
  headers: Headers | Record<string, string | readonly string[] | undefined>;
  /** All secrets that are valid now, during a rotation. */
  secret: string | readonly string[];
  now?: () => number;
};

/** Verifies the signature of a webhook by the Standard Webhooks scheme, and returns its event. */
export function verifyWebhook(webhook: WebhookInput): Promise<WebhookEvent>;

/** A client for every route except chat. */
export function createClient(options?: ClientOptions): Client;
`;
