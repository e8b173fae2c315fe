import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from '../../src/api/schema.ts';
import { addLengthKeywords } from './string-lengths.ts';

/** Compiles a route's schema at its first request: compiling all would take a quarter of the daemon's startup. */
export function createValidators(): FastifySchemaCompiler<TSchema> {
  const ajv = addFormats.default(new Ajv({ addUsedSchema: false }));
  addLengthKeywords(ajv);
  return ({ schema }) => {
    let compiled: ValidateFunction | undefined;
    const validate = (value: unknown): boolean => {
      compiled ??= ajv.compile(schema);
      const isValid = compiled(value);
      Object.assign(validate, { errors: compiled.errors });
      return isValid;
    };
    return validate;
  };
}

/**
 * No route declares a schema for its answers. Otherwise Fastify would load a serializer compiler, and another Ajv, at
 * every start.
 */
export function buildSerializer() {
  return () => JSON.stringify;
}
