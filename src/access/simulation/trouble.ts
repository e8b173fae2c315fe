import { FAILURES, Failure, isFailureCode, type FailureCode } from '../../base/errors.ts';
import { parseDuration } from '../../base/units.ts';

/** What happens to a request with a test key. Names and values are those of the API and of the header. */
export type Trouble = {
  error?: FailureCode;
  retry_after?: number;
  delay_ms?: number;
  first_token_delay_ms?: number;
  token_delay_ms?: number;
  tokens_per_second?: number;
  cut_after?: number;
  truncate_after?: number;
  no_end?: true;
  upload_bytes_per_second?: number;
  webhook?: WebhookTrouble;
};

export const WEBHOOK_TROUBLES = [
  'late',
  'twice',
  'out-of-order',
  'wrong-signature',
  'old-timestamp',
] as const;
export type WebhookTrouble = (typeof WEBHOOK_TROUBLES)[number];

/** Common names for some errors. */
const CALLED: Readonly<Record<string, FailureCode>> = {
  overload: 'queue_full',
  'expired-key': 'expired_api_key',
  'revoked-key': 'invalid_api_key',
  'empty-wallet': 'insufficient_credits',
};

/** The error that a status stands for; several errors can share one. */
const OF_STATUS: Readonly<Record<number, FailureCode>> = {
  400: 'invalid_value',
  401: 'invalid_api_key',
  402: 'insufficient_credits',
  403: 'insufficient_scope',
  404: 'model_not_found',
  409: 'already_exists',
  429: 'rate_limit_exceeded',
  500: 'internal_error',
  502: 'upstream_failed',
  503: 'queue_full',
};

const MS_MAX = 600_000;
const DURATIONS = ['delay_ms', 'first_token_delay_ms', 'token_delay_ms'];
const LIMITS: Readonly<Record<string, { min: number; max: number }>> = {
  retry_after: { min: 0, max: 86_400 },
  tokens_per_second: { min: 0.01, max: 100_000 },
  cut_after: { min: 0, max: 1_000_000 },
  truncate_after: { min: 0, max: 1_000_000 },
  upload_bytes_per_second: { min: 1, max: 1_000_000_000 },
  ...Object.fromEntries(DURATIONS.map((name) => [name, { min: 0, max: MS_MAX }])),
};

/** Parses a simulation given as JSON or text. `where` names the field or header in errors. */
export function readTrouble(asked: Record<string, unknown>, where: string): Trouble {
  const wrong = (message: string) => new Failure('invalid_value', message, { param: where });
  const trouble = Object.fromEntries(
    Object.entries(asked).map((field) => readField(field, wrong)),
  ) as Trouble;
  if (Object.keys(trouble).length === 0)
    throw wrong(`Nothing is requested in ${where}: see docs/testing.md.`);
  if (trouble.retry_after !== undefined && trouble.error === undefined)
    throw wrong('retry_after needs an error or a status.');
  return trouble;
}

type Wrong = (message: string) => Failure;

function readField([name, value]: [string, unknown], wrong: Wrong): [string, unknown] {
  if (name === 'error' || name === 'status') return ['error', readError(name, value, wrong)];
  if (name === 'no_end') return [name, true];
  if (name === 'webhook') {
    if (WEBHOOK_TROUBLES.some((known) => known === value)) return [name, value];
    throw wrong(`webhook must be one of ${WEBHOOK_TROUBLES.join(', ')}.`);
  }
  const limits = LIMITS[name];
  if (!limits) throw wrong(`"${name}" cannot be simulated. Use one of ${known().join(', ')}.`);
  const number = typeof value === 'string' ? readNumber(name, value) : Number(value);
  if (number >= limits.min && number <= limits.max) return [name, number];
  throw wrong(`${name} must be a number from ${limits.min} to ${limits.max}.`);
}

/** The error codes that a client of the API can get. */
function readError(name: string, value: unknown, wrong: Wrong): FailureCode {
  const code = name === 'status' ? OF_STATUS[Number(value)] : (CALLED[String(value)] ?? value);
  if (isFailureCode(code) && FAILURES[code].status !== 499) return code;
  if (name === 'status') throw wrong(`status must be one of ${Object.keys(OF_STATUS).join(', ')}.`);
  throw wrong(
    `There is no error ${JSON.stringify(value)}. Use one of ${Object.keys(CALLED).join(', ')}, or an error code of the API.`,
  );
}

function readNumber(name: string, text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  return DURATIONS.includes(name) ? (parseDuration(text) ?? NaN) : NaN;
}

function known(): string[] {
  return ['error', 'status', ...Object.keys(LIMITS), 'no_end', 'webhook'];
}

/** The header's syntax, in requests and responses: `error=queue_full; retry-after=2`. */
export function parseHeader(header: string): Record<string, unknown> {
  const fields = header
    .split(/[;,]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return Object.fromEntries(
    fields.map((field) => {
      const [name = '', value = 'true'] = field.split('=').map((part) => part.trim());
      const wire = name.toLowerCase().replaceAll('-', '_');
      return [DURATIONS.includes(`${wire}_ms`) ? `${wire}_ms` : wire, value];
    }),
  );
}

export function toHeader(trouble: Trouble): string {
  return Object.entries(trouble)
    .map(([name, value]) => name.replaceAll('_', '-') + (value === true ? '' : `=${value}`))
    .join('; ');
}

/** Whether it counts or delays the chunks of an answer, so that each chunk must be one token. */
export function countsPieces(trouble: Trouble): boolean {
  const {
    token_delay_ms: delay,
    tokens_per_second: speed,
    cut_after: cut,
    truncate_after: truncate,
  } = trouble;
  return [delay, speed, cut, truncate].some((count) => count !== undefined);
}

/** Whether the answer arrives incomplete. Such a request costs nothing. */
export function breaksAnswer({ error, cut_after, truncate_after, no_end }: Trouble): boolean {
  return error !== undefined || cut_after !== undefined || truncate_after !== undefined || no_end === true;
}
