import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { catalog } from '../../models/catalog.ts';
import { CATALOG_KEYS } from '../../src/library/catalog/keys.ts';
import { publicKeyOf } from '../../src/library/catalog/signature.ts';
import { signedCatalog } from './sign.ts';

/**
 * Signs the catalogue for `askd update --catalog`: npm run sign:catalog -- askd-catalog.json < key.pem The private
 * key comes from standard input or from the file that --key names, and is not written anywhere.
 */
const { values, positionals } = parseArgs({
  options: { key: { type: 'string', default: '/dev/stdin' }, days: { type: 'string', default: '365' } },
  allowPositionals: true,
});
const [path = 'askd-catalog.json'] = positionals;
const privatePem = readFileSync(values.key, 'utf8');
if (CATALOG_KEYS.includes(publicKeyOf(privatePem))) {
  writeFileSync(path, signedCatalog(catalog, { privatePem, days: Number(values.days), now: Date.now() }));
  console.log(`${path}: ${catalog.length} models, signed.`);
} else {
  console.error(`No askd trusts this key. Its public key is ${publicKeyOf(privatePem)}`);
  process.exitCode = 1;
}
