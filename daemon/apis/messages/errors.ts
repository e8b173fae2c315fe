import type { FastifyRequest } from 'fastify';
import { createMessage } from '../../../src/api/chat/messages.ts';
import { promptTooLong } from '../../../src/base/context-length.ts';
import { toErrorBody, type Failure } from '../../../src/base/errors.ts';

const OVERLOADED = 529;

const TYPES: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  [OVERLOADED]: 'overloaded_error',
};

/**
 * Whether a request is for Anthropic's API: by its path, or, on shared paths, by the header that only its clients
 * send.
 */
export function speaksMessages({ url, headers }: Pick<FastifyRequest, 'url' | 'headers'>): boolean {
  return url.startsWith(createMessage.path) || headers['anthropic-version'] !== undefined;
}

/** Temporary failures are "overloaded"; errors that waiting cannot fix keep their status. */
export function messagesStatus({ kind: { status, retry } }: Failure): number {
  return status === 503 && retry !== false ? OVERLOADED : status;
}

/** A failure in Anthropic's shape, with our own code for programs. */
export function toMessagesError(failure: Failure, requestId: string) {
  const status = messagesStatus(failure);
  const { message, param, code } = toErrorBody(failure).error;
  const { details } = failure;
  const shown = promptTooLong(failure) ?? message;
  const type = TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
  const hasDetails = Object.keys(details).length > 0;
  return {
    type: 'error',
    error: { type, message: shown, param, code, ...(hasDetails && { details }) },
    request_id: requestId,
  };
}
