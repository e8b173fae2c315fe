import type { ApiKey } from '../../src/api/account/keys.ts';
import { Failure } from '../../src/base/errors.ts';

/** By its id, or by its prefix if that is unique. */
export function findKey(keys: readonly ApiKey[], wanted: string): ApiKey {
  const matches = keys.filter((key) => key.id === wanted || key.key_prefix === wanted);
  const [only] = matches;
  if (only === undefined) {
    throw new Failure('not_found', `No key has the id or prefix "${wanted}".`, {
      details: { fix: 'askd keys list' },
    });
  }
  if (matches.length === 1) return only;
  const ids = matches.map((key) => key.id).join(', ');
  throw new Failure('invalid_value', `More than one key has the prefix "${wanted}". Give an id: ${ids}.`);
}
