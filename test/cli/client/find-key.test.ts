import { describe, expect, test } from 'vitest';
import { findKey } from '../../../cli/client/find-key.ts';
import type { ApiKey } from '../../../src/api/account/keys.ts';
import { Failure } from '../../../src/base/errors.ts';

const keyOf = (id: string, prefix: string, name: string) => ({ id, key_prefix: prefix, name }) as ApiKey;
const KEYS = [
  keyOf('key_1', 'ask_AAAA', 'laptop'),
  keyOf('key_2', 'ask_BBBB', 'laptop'),
  keyOf('key_3', 'ask_CCCC', 'phone'),
  keyOf('key_4', 'ask_CCCC', 'ask_AAAA'),
];

const failureOf = (wanted: string) => {
  try {
    return findKey(KEYS, wanted);
  } catch (error) {
    return error;
  }
};

describe('a key is found', () => {
  test.each([
    ['key_2', 'key_2'],
    ['ask_BBBB', 'key_2'],
    ['phone', 'key_3'],
  ])('by %s', (wanted, id) => {
    expect(findKey(KEYS, wanted).id).toBe(id);
  });

  test('by its prefix before another is by its name', () => {
    expect(findKey(KEYS, 'ask_AAAA').id).toBe('key_1');
  });

  test.each([
    ['laptop', 'More than one key has the name "laptop". Give an id: key_1, key_2.'],
    ['ask_CCCC', 'More than one key has the prefix "ask_CCCC". Give an id: key_3, key_4.'],
    ['ask_', 'No key has the id, prefix or name "ask_".'],
    ['', 'No key has the id, prefix or name "".'],
  ])('only if "%s" names one', (wanted, message) => {
    const failure = failureOf(wanted);
    expect(failure).toBeInstanceOf(Failure);
    expect(failure).toMatchObject({ message });
  });
});
