export type ResponseHeaders = Pick<Headers, 'get'>;

type Described = { message?: unknown; type?: unknown; param?: unknown; code?: unknown };

const RETRIED = [408, 425, 429, 500, 502, 503, 504];

/** The server responded with an error. */
export class AskdError extends Error {
  override readonly name: string = 'AskdError';
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

  constructor(status: number, body: unknown, headers?: ResponseHeaders) {
    const error = describedIn(body);
    super(textOf(error.message) ?? `The server answered ${status} without a reason.`);
    this.status = status;
    this.code = textOf(error.code);
    this.type = textOf(error.type);
    this.param = textOf(error.param);
    this.requestId = headers?.get('x-request-id') ?? undefined;
    this.retryAfterSeconds = headers && retryAfter(headers);
    this.shouldRetry = canHelp(status, headers);
    this.details = error;
  }
}

/** No complete answer arrived: the server could not be reached, the connection broke, or the time was up. */
export class AskdConnectionError extends Error {
  override readonly name: string = 'AskdConnectionError';
}

/** In seconds, or the date until which to wait. */
function retryAfter(headers: ResponseHeaders): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000);
}

/** The server knows best: a status alone does not say whether a retry can help. */
function canHelp(status: number, headers: ResponseHeaders | undefined): boolean {
  const advice = headers?.get('x-should-retry') ?? null;
  if (advice !== null) return advice === 'true';
  return RETRIED.includes(status) || (status === 409 && headers?.get('retry-after') != null);
}

function describedIn(body: unknown): Described {
  const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined;
  return typeof error === 'object' && error !== null ? error : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
