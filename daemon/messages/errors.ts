import { toErrorBody, type Failure } from '../../src/errors.ts';

const TYPES: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
};

/** A failure in Anthropic's shape. Our own code comes with it, so that programs can tell what it was. */
export function toMessagesError(failure: Failure, requestId: string) {
  const { status } = failure.kind;
  const { message, param, code } = toErrorBody(failure).error;
  const type = TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
  return { type: 'error', error: { type, message, param, code }, request_id: requestId };
}
