import { redactSecrets } from './secrets.ts';

/** Every way askd can fail: HTTP status, exit code, and whether a retry can help. */
export const FAILURES = {
  invalid_json: { status: 400, exit: 2, type: 'invalid_request_error' },
  invalid_webhook_url: { status: 400, exit: 2, type: 'invalid_request_error' },
  invalid_value: { status: 400, exit: 2, type: 'invalid_request_error' },
  missing_required_parameter: { status: 400, exit: 2, type: 'invalid_request_error' },
  unsupported_parameter: { status: 400, exit: 2, type: 'invalid_request_error' },
  unsupported_schema: { status: 400, exit: 2, type: 'invalid_request_error', retry: false },
  /** It would block the other requests of its model. */
  schema_too_costly: { status: 400, exit: 2, type: 'invalid_request_error', retry: false },
  context_length_exceeded: { status: 400, exit: 2, type: 'invalid_request_error', retry: false },
  /** No shorter conversation would fit either. */
  context_too_small: { status: 400, exit: 2, type: 'invalid_request_error', retry: false },
  /** No rule of the file of scripted answers matches the request. */
  answer_not_scripted: { status: 400, exit: 2, type: 'invalid_request_error', retry: false },
  /** A file of recorded answers is damaged, or is not one. */
  cassette_invalid: { status: 400, exit: 9, type: 'invalid_request_error', retry: false },
  model_capability_mismatch: { status: 400, exit: 2, type: 'invalid_request_error' },
  invalid_audio: { status: 400, exit: 2, type: 'invalid_request_error' },
  audio_too_long: { status: 400, exit: 2, type: 'invalid_request_error' },
  invalid_model_file: { status: 400, exit: 9, type: 'invalid_request_error' },
  /** It is not an archive of askd, is damaged, or exceeds its limits. */
  archive_invalid: { status: 400, exit: 9, type: 'invalid_request_error', retry: false },
  request_too_large_for_tier: { status: 400, exit: 2, type: 'invalid_request_error', retry: false },
  contact_sales: { status: 400, exit: 2, type: 'invalid_request_error' },
  event_not_genuine: { status: 400, exit: 2, type: 'invalid_request_error', retry: false },
  invalid_api_key: { status: 401, exit: 4, type: 'invalid_request_error' },
  expired_api_key: { status: 401, exit: 4, type: 'invalid_request_error' },
  not_authenticated: { status: 401, exit: 4, type: 'invalid_request_error' },
  /** The provider's answer is not valid, or names somebody who may not sign in. */
  sign_in_refused: { status: 401, exit: 4, type: 'invalid_request_error', retry: false },
  login_code_invalid: { status: 401, exit: 4, type: 'invalid_request_error', retry: false },
  insufficient_credits: { status: 402, exit: 4, type: 'insufficient_credits', retry: false },
  credits_on_hold: { status: 402, exit: 4, type: 'insufficient_credits', retry: true },
  spending_limit_reached: { status: 402, exit: 4, type: 'insufficient_credits', retry: false },
  payment_refused: { status: 402, exit: 1, type: 'invalid_request_error', retry: false },
  licence_not_accepted: { status: 403, exit: 2, type: 'permission_error' },
  hub_access_denied: { status: 403, exit: 4, type: 'permission_error', retry: false },
  insufficient_scope: { status: 403, exit: 4, type: 'permission_error' },
  account_suspended: { status: 403, exit: 4, type: 'permission_error', retry: false },
  /** The route is for other people of the account, or for the owner of the daemon. */
  role_not_allowed: { status: 403, exit: 4, type: 'permission_error', retry: false },
  /** Failures are simulated only for test keys. */
  simulation_not_allowed: { status: 403, exit: 4, type: 'permission_error', retry: false },
  image_address_invalid: { status: 403, exit: 4, type: 'permission_error', retry: false },
  host_not_allowed: { status: 403, exit: 4, type: 'permission_error' },
  origin_not_allowed: { status: 403, exit: 4, type: 'permission_error' },
  not_found: { status: 404, exit: 5, type: 'invalid_request_error' },
  model_not_found: { status: 404, exit: 5, type: 'invalid_request_error' },
  engine_not_installed: { status: 404, exit: 5, type: 'invalid_request_error' },
  hub_not_found: { status: 404, exit: 5, type: 'invalid_request_error' },
  model_not_installed: { status: 404, exit: 5, type: 'invalid_request_error' },
  /** No recorded request matches this one. */
  cassette_no_match: { status: 404, exit: 5, type: 'invalid_request_error', retry: false },
  method_not_allowed: { status: 405, exit: 2, type: 'invalid_request_error' },
  key_limit_reached: { status: 409, exit: 1, type: 'invalid_request_error', retry: false },
  model_in_use: { status: 409, exit: 1, type: 'invalid_request_error', retry: false },
  /** A batch is still reading it. */
  file_in_use: { status: 409, exit: 1, type: 'invalid_request_error', retry: false },
  webhook_limit_reached: { status: 409, exit: 1, type: 'invalid_request_error', retry: false },
  /** An account must keep at least one owner. */
  last_owner: { status: 409, exit: 1, type: 'invalid_request_error', retry: false },
  /** The session is still answering: it has one run at a time. */
  session_busy: { status: 409, exit: 1, type: 'invalid_request_error', retry: false },
  already_exists: { status: 409, exit: 1, type: 'invalid_request_error', retry: false },
  image_expired: { status: 410, exit: 5, type: 'invalid_request_error', retry: false },
  request_too_large: { status: 413, exit: 2, type: 'invalid_request_error' },
  unsupported_media_type: { status: 415, exit: 2, type: 'invalid_request_error' },
  rate_limit_exceeded: { status: 429, exit: 1, type: 'rate_limit_error' },
  /** Too many wrong credentials from one address. The failure says how long to wait. */
  too_many_attempts: { status: 429, exit: 4, type: 'rate_limit_error' },
  /** Too many management requests from one session. */
  too_many_requests: { status: 429, exit: 1, type: 'rate_limit_error' },
  idempotency_in_progress: { status: 409, exit: 1, type: 'idempotency_error', retryAfterSeconds: 1 },
  idempotency_response_unavailable: { status: 409, exit: 1, type: 'idempotency_error', retry: false },
  idempotency_key_reused: { status: 422, exit: 2, type: 'idempotency_error', retry: false },
  insufficient_quota: { status: 429, exit: 4, type: 'insufficient_quota', retry: false },
  /** Appears only in the log. */
  client_disconnected: { status: 499, exit: 1, type: 'invalid_request_error' },
  internal_error: { status: 500, exit: 1, type: 'server_error' },
  hub_unreachable: { status: 502, exit: 7, type: 'server_error', retry: false },
  offline: { status: 503, exit: 7, type: 'server_error', retry: false },
  /** It is forged, damaged, or not a catalogue. */
  catalog_invalid: { status: 502, exit: 9, type: 'server_error', retry: false },
  /** It has expired, or a newer one is in use. */
  catalog_outdated: { status: 502, exit: 9, type: 'server_error', retry: false },
  /** Only a newer askd can read it. */
  catalog_too_new: { status: 502, exit: 3, type: 'server_error', retry: false },
  catalog_unavailable: { status: 502, exit: 7, type: 'server_error', retry: false },
  download_damaged: { status: 502, exit: 9, type: 'server_error', retry: false },
  download_cancelled: { status: 409, exit: 1, type: 'invalid_request_error', retry: false },
  download_paused: { status: 409, exit: 1, type: 'invalid_request_error', retry: false },
  disk_full: { status: 507, exit: 1, type: 'server_error', retry: false },
  /** The npm registry, source of the optional engines. */
  registry_failed: { status: 502, exit: 7, type: 'server_error', retry: false },
  payment_provider_failed: { status: 502, exit: 7, type: 'server_error' },
  runner_crashed: { status: 503, exit: 1, type: 'server_error' },
  model_load_failed: { status: 503, exit: 1, type: 'server_error', retry: false },
  /** NaN or infinite values, as from a half-precision overflow. */
  model_output_invalid: { status: 500, exit: 1, type: 'server_error', retry: false },
  /** The draft model has a different vocabulary. */
  draft_mismatch: { status: 503, exit: 1, type: 'server_error', retry: false },
  model_loading: { status: 503, exit: 1, type: 'server_error', retryAfterSeconds: 5 },
  /** A sandbox is required, but this machine has none. */
  sandbox_unavailable: { status: 503, exit: 3, type: 'server_error', retry: false },
  insufficient_memory: { status: 503, exit: 1, type: 'server_error', retry: false },
  upstream_unavailable: { status: 503, exit: 1, type: 'server_error', retryAfterSeconds: 5 },
  upstream_failed: { status: 502, exit: 1, type: 'server_error' },
  upstream_refused: { status: 502, exit: 1, type: 'server_error', retry: false },
  queue_full: { status: 503, exit: 1, type: 'server_error', retryAfterSeconds: 2 },
  shutting_down: { status: 503, exit: 1, type: 'server_error', retryAfterSeconds: 5 },
  config_invalid: { status: 500, exit: 3, type: 'server_error' },
  /** A native part of a package is missing, or was built for another Node. */
  install_incomplete: { status: 500, exit: 3, type: 'server_error', retry: false },
  /** The platform's keyring is locked, or there is none. */
  keyring_unavailable: { status: 500, exit: 3, type: 'server_error', retry: false },
  home_not_writable: { status: 500, exit: 3, type: 'server_error', retry: false },
  already_running: { status: 409, exit: 10, type: 'invalid_request_error', retry: false },
  schema_too_new: { status: 500, exit: 3, type: 'server_error' },
  seal_broken: { status: 500, exit: 9, type: 'server_error' },
  backup_damaged: { status: 400, exit: 9, type: 'invalid_request_error', retry: false },
  passphrase_wrong: { status: 400, exit: 4, type: 'invalid_request_error', retry: false },
  store_damaged: { status: 500, exit: 9, type: 'server_error' },
  address_in_use: { status: 500, exit: 1, type: 'server_error' },
  /** The program on this machine that plays audio. */
  player_failed: { status: 500, exit: 1, type: 'server_error', retry: false },
  /** An MCP server of the owner did not start, did not answer or disconnected. */
  mcp_server_failed: { status: 502, exit: 1, type: 'server_error' },
  /** The owner has to log in to an MCP server, in a browser. */
  mcp_login_needed: { status: 403, exit: 4, type: 'permission_error', retry: false },
  mcp_tool_not_allowed: { status: 403, exit: 4, type: 'permission_error', retry: false },
  /** The OpenID provider for console logins does not respond properly. */
  oidc_provider_failed: { status: 502, exit: 7, type: 'server_error' },
  daemon_unreachable: { status: 503, exit: 6, type: 'server_error' },
} as const satisfies Record<string, FailureKind>;

export type FailureKind = {
  status: number;
  exit: number;
  type: string;
  /** Sent as x-should-retry, which takes precedence over the SDKs' own rules. */
  retry?: boolean;
  retryAfterSeconds?: number;
};

export type FailureCode = keyof typeof FAILURES;

export type FailureDetails = Record<string, number | string | readonly string[]>;

export type FailureOptions = {
  param?: string;
  /** Further numbers and names for the client, besides the four keys of the error body. */
  details?: FailureDetails;
  /** Set if only this failure knows how long to wait; otherwise its code decides. */
  retryAfterSeconds?: number;
  cause?: unknown;
};

/** An expected failure. Anything else that is thrown is a bug and shows as `internal_error`. */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly param: string | undefined;
  readonly details: FailureDetails;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: FailureCode, message: string, options: FailureOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'Failure';
    this.code = code;
    this.param = options.param;
    this.details = options.details ?? {};
    this.retryAfterSeconds = options.retryAfterSeconds ?? this.kind.retryAfterSeconds;
  }

  get kind(): FailureKind {
    return FAILURES[this.code];
  }
}

export type ErrorBody = {
  error: { message: string; type: string; param: string | null; code: string | null } & Record<
    string,
    unknown
  >;
};

/** Some messages quote what the client sent in the wrong place; secrets in them are redacted. */
export function toErrorBody(failure: Failure): ErrorBody {
  const { code, details, kind } = failure;
  const message = redactSecrets(failure.message);
  const param = failure.param === undefined ? null : redactSecrets(failure.param);
  return { error: { message, type: kind.type, param, code, ...details } };
}

export function isFailureCode(code: unknown): code is FailureCode {
  return typeof code === 'string' && Object.hasOwn(FAILURES, code);
}

/** Turns anything thrown into a Failure. A bug keeps its cause but not its text, which is only for the log. */
const NO_ROOM: unknown[] = ['ENOSPC', 'EDQUOT', 'EFBIG', 'SQLITE_FULL'];

export function toFailure(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown;
  // A full disk is reported by whichever write comes first: to a folder, a journal, a link or a row.
  if (NO_ROOM.includes((thrown as NodeJS.ErrnoException | null | undefined)?.code)) {
    const message = 'The disk is full. Existing data is kept: free some space, then try again.';
    return new Failure('disk_full', message, { cause: thrown });
  }
  return new Failure(
    'internal_error',
    'The server hit an unexpected error. See the log for details: askd logs',
    { cause: thrown },
  );
}
