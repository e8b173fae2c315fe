import { toErrorBody, type Failure } from '../../../base/errors.ts';
import type { Sent } from './read-request.ts';

/** A failure in the shape of the API that was called. */
export function errorBodyFor({ url = '', headers }: Sent, failure: Failure): object {
  const body = toErrorBody(failure);
  const { message, code } = body.error;
  if (url.startsWith('/api/')) return { error: message, code, ...failure.details };
  if (!url.startsWith('/v1/messages') && headers['anthropic-version'] === undefined) return body;
  const type =
    failure.kind.status === 404
      ? 'not_found_error'
      : failure.kind.status < 500
        ? 'invalid_request_error'
        : 'api_error';
  return { type: 'error', error: { type, message, param: null, code, details: failure.details } };
}
