import type { ApiKey } from '../../src/api/account/keys.ts';
import { Failure } from '../../src/base/errors.ts';

/** By its id or prefix, or by its name if only one key has it. */
export function findKey(keys: readonly ApiKey[], wanted: string): ApiKey {
  const exact = keys.filter((key) => key.id === wanted || key.key_prefix === wanted);
  const matches = exact.length > 0 ? exact : keys.filter((key) => key.name === wanted);
  const [only] = matches;
  if (only === undefined) {
    throw new Failure('not_found', `No key has the id, prefix or name "${wanted}".`, {
      details: { fix: 'askd keys list' },
    });
  }
  if (matches.length === 1) return only;
  const shared = exact.length > 0 ? 'prefix' : 'name';
  const ids = matches.map((key) => key.id).join(', ');
  throw new Failure('invalid_value', `More than one key has the ${shared} "${wanted}". Give an id: ${ids}.`);
}
