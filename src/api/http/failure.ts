import { FAILURES, Failure, isFailureCode, type FailureCode } from '../../base/errors.ts';
import { AskdConnectionError, AskdError } from '../../client/error.ts';

type Server = { url: string; remote: boolean };

/** An error of the client as our own Failure. */
export function failureOf(error: unknown, target: Server): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof AskdError) return failureOfServer(error);
  const cause = error instanceof AskdConnectionError ? (error.cause ?? error) : error;
  const reason = cause instanceof Error ? plainReason(cause) : String(cause);
  return new Failure('daemon_unreachable', `No valid response from ${target.url}: ${reason}.`, {
    cause,
    ...(target.remote && { details: { fix: 'check the address in --host or ASKD_BASE_URL' } }),
  });
}

export function failureFromBody(status: number, body: unknown): Failure {
  return failureOfServer(new AskdError(status, body));
}

function failureOfServer(cause: AskdError): Failure {
  const { status, code, details, message, retryAfterSeconds } = cause;
  if (Object.keys(details).length === 0)
    return new Failure('daemon_unreachable', `The server answered ${status} with an unexpected body.`, {
      cause,
    });
  const { fix } = details;
  return new Failure(isFailureCode(code) ? code : codeForStatus(status), message, {
    cause,
    ...(typeof fix === 'string' && { details: { fix } }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}

/** An unknown code becomes the closest one by its status. */
function codeForStatus(status: number): FailureCode {
  const match = (Object.keys(FAILURES) as FailureCode[]).find((code) => FAILURES[code].status === status);
  return status >= 500 || match === undefined ? 'internal_error' : match;
}

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'nothing is listening there',
  ECONNRESET: 'the connection was closed',
  ENOTFOUND: 'the host name cannot be resolved',
  EHOSTUNREACH: 'the host cannot be reached',
  ETIMEDOUT: 'the host does not answer',
};

function plainReason(error: NodeJS.ErrnoException): string {
  return REASONS[error.code ?? ''] ?? error.message;
}
