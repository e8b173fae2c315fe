import { describe, expect, test } from 'vitest';
import { createValidators } from '../../../daemon/http/validators.ts';
import { ENDPOINTS } from '../../../src/api/endpoints.ts';

const routeOf = { method: 'POST', url: '/', httpPart: 'body' };

describe('the schema of', () => {
  const schemas = ENDPOINTS.flatMap(({ method, path, body, query }) =>
    [body, query].flatMap((schema) => (schema ? [{ name: `${method} ${path}`, schema }] : [])),
  );

  test.each(schemas)('$name compiles, though only when it is first needed', ({ schema }) => {
    const validate = createValidators()({ schema, ...routeOf });
    expect(validate('not an object')).toBe(false);
    expect((validate as { errors?: unknown }).errors).toMatchObject([
      { keyword: expect.any(String) as string },
    ]);
  });
});
