import { Failure } from '../../../src/base/errors.ts';

/** For a schema or grammar that would block the other requests of its model. */
export function tooCostly(why: string, fix: string): Failure {
  return new Failure('schema_too_costly', `The schema or grammar is too costly to enforce: ${why}. ${fix}.`);
}

export function tooAmbiguous(): Failure {
  return tooCostly(
    'the same text can be parsed in too many ways',
    'Make repeated and alternative parts differ',
  );
}
