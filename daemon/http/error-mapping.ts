import type { FastifyError, FastifySchemaValidationError } from 'fastify';
import { Failure, toFailure, type FailureCode } from '../../src/base/errors.ts';

const FRAMEWORK_CODES: Record<string, FailureCode> = {
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_value',
  FST_ERR_CTP_BODY_TOO_LARGE: 'request_too_large',
  FST_ERR_BAD_URL: 'not_found',
};

/** Maps anything that the framework or a handler threw to a Failure. */
export function failureFrom(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const { validation, code, statusCode, message } = error as FastifyError;
  if (validation) return fromValidation(validation);
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return wrongMediaType(error);
  const known = FRAMEWORK_CODES[code];
  if (known) return new Failure(known, message, { cause: error });
  if (error instanceof SyntaxError && statusCode === 400) {
    return new Failure('invalid_json', `The body is not valid JSON: ${message}`, { cause: error });
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new Failure('invalid_value', message, { cause: error });
  }
  return toFailure(error);
}

function wrongMediaType(cause: unknown): Failure {
  const message = 'The body must be JSON. Send it with Content-Type: application/json.';
  return new Failure('unsupported_media_type', message, { cause });
}

/** The most useful of several problems: an unknown or missing field if there is one, otherwise the outermost error. */
function fromValidation(problems: readonly FastifySchemaValidationError[]): Failure {
  const problem = mostSpecific(problems);
  const path = toParam(problem.instancePath);
  const { additionalProperty, missingProperty, allowedValues, allowedValue } = problem.params;
  if (typeof additionalProperty === 'string') {
    const param = join(path, additionalProperty);
    return new Failure('unsupported_parameter', `The parameter "${param}" is not supported.`, { param });
  }
  if (typeof missingProperty === 'string') {
    const param = join(path, missingProperty);
    return new Failure('missing_required_parameter', `The parameter "${param}" is required.`, { param });
  }
  if (problem.keyword === 'const') {
    const message = `Only ${JSON.stringify(allowedValue)} is supported for "${path}".`;
    return new Failure('unsupported_parameter', message, { param: path });
  }
  const wanted = Array.isArray(allowedValues) ? `: ${allowedValues.join(', ')}` : '';
  const subject = path === '' ? 'The body' : `"${path}"`;
  const complaint = problem.keyword === 'anyOf' ? typesOf(problems, problem) : problem.message;
  return new Failure('invalid_value', `${subject} ${complaint ?? 'is not valid'}${wanted}.`, {
    ...(path !== '' && { param: path }),
  });
}

function mostSpecific(problems: readonly FastifySchemaValidationError[]): FastifySchemaValidationError {
  const choice = problems.find(({ keyword }) => keyword === 'anyOf');
  const named = problems.find(({ keyword }) => keyword === 'additionalProperties' || keyword === 'required');
  const chosen = named ?? (choice && problems.find(isDeeperThan(choice))) ?? choice ?? problems[0];
  if (!chosen) throw new Error('Validation failed without a problem');
  return chosen;
}

/** A value that has none of the alternatives' types gets an error that lists them. */
function typesOf(
  problems: readonly FastifySchemaValidationError[],
  { instancePath, message }: FastifySchemaValidationError,
): string | undefined {
  const types = problems
    .filter((each) => each.keyword === 'type' && each.instancePath === instancePath)
    .map(({ params }) => String(params['type']));
  return types.length === 0 ? message : `must be ${[...new Set(types)].join(' or ')}`;
}

/** Inside an alternative, an error about a part says more than "must match a schema in anyOf". */
function isDeeperThan(choice: FastifySchemaValidationError) {
  return ({ instancePath, keyword }: FastifySchemaValidationError) =>
    keyword !== 'anyOf' && (instancePath.length > choice.instancePath.length || keyword !== 'type');
}

function toParam(instancePath: string): string {
  return instancePath.split('/').filter(Boolean).reduce(join, '');
}

function join(path: string, name: string): string {
  if (/^\d+$/.test(name)) return `${path}[${name}]`;
  return path === '' ? name : `${path}.${name}`;
}
