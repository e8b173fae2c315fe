import { Errors } from 'typebox/schema';

/** Where a value differs from a schema, in words. Works without eval, which the page's policy forbids. */
export function schemaProblems(schema: unknown, value: unknown): string[] {
  try {
    const [, errors] = Errors(schema as Parameters<typeof Errors>[0], value);
    return errors
      .filter(({ keyword }) => keyword !== 'boolean')
      .map(({ instancePath, message }) => `${instancePath === '' ? 'The answer' : instancePath} ${message}.`);
  } catch (error) {
    return [`The schema itself cannot be used here: ${(error as Error).message}`];
  }
}
