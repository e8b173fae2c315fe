import { catalog } from '../../models/catalog.ts';
import { readHubSettings } from '../../src/config/hub-settings.ts';
import { verifyCatalog } from './verify.ts';

/**
 * Checks the catalogue against the hub, which needs the network. Prints what it found, and exits with 1 if something
 * is wrong.
 */
const { endpoint, token } = readHubSettings(process.env);
let wrong = 0;
for await (const { artifact, file, problems, entry } of verifyCatalog(
  catalog,
  { endpoint, token },
  new AbortController().signal,
)) {
  if (problems.length === 0) console.log(`ok    ${artifact}  ${file}  ${entry?.bytes}  ${entry?.hash.value}`);
  else {
    wrong += 1;
    console.log(`WRONG ${artifact}  ${file}\n      ${problems.join('\n      ')}`);
  }
}
console.log(
  wrong === 0 ? 'The catalogue is as the hub has it.' : `${wrong} files are not as the catalogue says.`,
);
process.exitCode = wrong === 0 ? 0 : 1;
