import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { catalog } from '../../../models/catalog.ts';
import { edition } from '../../../models/catalog/edition.ts';
import { signedCatalog } from '../../../scripts/catalog/sign.ts';
import { CATALOG_KEYS } from '../../../src/library/catalog/keys.ts';
import { parsePayload } from '../../../src/library/catalog/payload.ts';
import { keyId, openSigned, publicKeyOf } from '../../../src/library/catalog/signature.ts';

const newKey = () =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

test('the catalogue that a release signs is read back unchanged, without what ships with askd', () => {
  const privatePem = newKey();
  const file = signedCatalog(catalog, { privatePem, days: 30, now: Date.UTC(2026, 11, 1) });
  const publicKey = publicKeyOf(privatePem);
  const { catalog: text, key } = openSigned(file, [publicKey]);
  const payload = parsePayload(text);
  expect(payload).toMatchObject({ ...edition, expires: '2026-12-31' });
  expect(payload.models).toEqual(catalog.filter(({ hub }) => hub !== undefined));
  expect(key).toBe(keyId(publicKey));
});

test('while a key is being replaced, both are trusted, and a third is not', () => {
  const [old, next, other] = [newKey(), newKey(), newKey()];
  const keys = [old, next].map(publicKeyOf);
  const signed = (privatePem: string) => signedCatalog(catalog, { privatePem, days: 1, now: Date.now() });
  for (const pem of [old, next]) expect(openSigned(signed(pem), keys).key).toBe(keyId(publicKeyOf(pem)));
  expect(() => openSigned(signed(other), keys)).toThrow('which this askd does not trust');
  expect(() => openSigned(signed(other), CATALOG_KEYS)).toThrow('which this askd does not trust');
});
