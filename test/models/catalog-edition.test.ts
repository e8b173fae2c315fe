import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { catalog } from '../../models/catalog.ts';
import { edition } from '../../models/catalog/edition.ts';

/** The digest of the entries of each edition, by its serial number. A published edition is never edited. */
const EDITIONS: Readonly<Record<number, string>> = {
  1: '6c3761983960723d8cf6dca37fec60b903f5cdfebbd09a6eb8e8faa07a564e18',
};

test('an entry of the catalogue changes only with a new edition', () => {
  const entries = catalog.filter(({ hub }) => hub !== undefined);
  const digest = createHash('sha256').update(JSON.stringify(entries)).digest('hex');
  const advice = 'raise serial and issued in models/catalog/edition.ts, and add the digest to EDITIONS here';
  expect({ serial: edition.serial, digest }, advice).toEqual({
    serial: Math.max(...Object.keys(EDITIONS).map(Number)),
    digest: EDITIONS[edition.serial],
  });
});
