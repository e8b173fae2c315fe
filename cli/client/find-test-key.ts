import type { ApiKey } from '../../src/api/account/keys.ts';
import { Failure } from '../../src/base/errors.ts';
import { findKey } from './find-key.ts';

/** The only test key, unless one is named. */
export function findTestKey(keys: readonly ApiKey[], wanted: string | undefined): ApiKey {
  if (wanted !== undefined) return findKey(keys, wanted);
  const [only, ...others] = keys.filter((key) => key.is_test);
  if (only && others.length === 0) return only;
  throw new Failure(
    'not_found',
    only ? 'There are several keys for tests. Name one with --key.' : 'There is no key for tests yet.',
    { details: { fix: only ? 'askd keys list' : 'askd keys create --test --name NAME' } },
  );
}
