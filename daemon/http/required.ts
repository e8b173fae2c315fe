import { Failure } from '../../src/base/errors.ts';

/** For a field that is required only in some variants, so that the schema cannot require it. */
export function required<Value>(value: Value | undefined, param: string): Value {
  if (value !== undefined) return value;
  throw new Failure('missing_required_parameter', `The parameter "${param}" is required.`, { param });
}

export function invalid(param: string, message: string): Failure {
  return new Failure('invalid_value', message, { param });
}
