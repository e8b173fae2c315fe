import { writeFileSync } from 'node:fs';
import { billOfMaterials } from './sbom.ts';

/** The argument is the file to write. */
const [file = 'sbom.cdx.json'] = process.argv.slice(2);
const bill = await billOfMaterials();
writeFileSync(file, `${JSON.stringify(bill, undefined, 2)}\n`);
console.log(`${file}: ${bill.components.length} packages`);
