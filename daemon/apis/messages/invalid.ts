import { Failure } from '../../../src/base/errors.ts';

export function required<Value>(value: Value | undefined, param: string): Value {
  if (value !== undefined) return value;
  throw new Failure('missing_required_parameter', `The parameter "${param}" is required.`, { param });
}

export function misplaced(type: string, role: string, param: string): Failure {
  return invalid(`${param}.type`, `Messages with the role ${role} cannot have blocks of the type ${type}.`);
}

export function invalid(param: string, message: string): Failure {
  return new Failure('invalid_value', message, { param });
}

export function cannotBeDone(param: string, message: string): Failure {
  return new Failure('unsupported_parameter', message, { param });
}
