import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSeal } from '../../../src/base/sealed.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

test('what is sealed opens again, also after a restart, and shows nothing', () => {
  const path = join(temporaryFolder(), 'deep', 'seal-key');
  const sealed = openSeal(path).seal('whsec_secret', 'wh_1');
  expect(sealed.toString('latin1')).not.toContain('secret');
  expect(openSeal(path).open(sealed, 'wh_1')).toBe('whsec_secret');
  expect(openSeal(path).seal('whsec_secret', 'wh_1')).not.toEqual(sealed);
});

test('only this user can read the key', () => {
  const path = join(temporaryFolder(), 'seal-key');
  openSeal(path);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(path)).toHaveLength(32);
});

test('what is sealed opens in no other place, with no other key, and not after tampering', () => {
  const folder = temporaryFolder();
  const seal = openSeal(join(folder, 'a'));
  const sealed = seal.seal('text', 'wh_1');
  const touched = Buffer.from(sealed);
  touched[touched.length - 1] = (touched.at(-1) ?? 0) ^ 1;
  expect(() => seal.open(sealed, 'wh_2')).toThrow(/cannot be decrypted/);
  expect(() => openSeal(join(folder, 'b')).open(sealed, 'wh_1')).toThrow(/cannot be decrypted/);
  expect(() => seal.open(touched, 'wh_1')).toThrow(/cannot be decrypted/);
  for (const bytes of [0, 1, 12, 28, 40]) {
    expect(() => seal.open(Buffer.alloc(bytes), 'wh_1')).toThrow(/cannot be decrypted/);
  }
});

test('a damaged key is refused and never replaced', () => {
  const path = join(temporaryFolder(), 'seal-key');
  writeFileSync(path, 'short');
  expect(() => openSeal(path)).toThrow(/damaged/);
  expect(readFileSync(path, 'utf8')).toBe('short');
});
