import { mkdirSync, writeFileSync } from 'node:fs';
import { checkAgent, checkLibrary, type Checked } from './clients/check.ts';
import { checkInspector, checkServer } from './clients/mcp.ts';
import { AGENTS, INSPECTOR, LIBRARIES, SERVERS } from './clients/pins.ts';
import { clientsPage } from './clients/table.ts';
import { openWorld } from './clients/world.ts';

/**
 * Runs real clients against a daemon. Names select some of them; a run of all of them writes the documentation page.
 */
const wanted = process.argv.slice(2);
const isWanted = ({ client }: { client: string }) => wanted.length === 0 || wanted.includes(client);

const world = await openWorld();
const checks: Checked[] = [];
try {
  for (const pin of AGENTS.filter(isWanted)) checks.push(report(await checkAgent(pin, world)));
  for (const pin of LIBRARIES.filter(isWanted)) checks.push(report(await checkLibrary(pin, world)));
  if (isWanted(INSPECTOR)) checks.push(report(await checkInspector(INSPECTOR, world)));
  for (const pin of SERVERS.filter(isWanted)) checks.push(report(await checkServer(pin, world)));
} finally {
  await world.close();
}
if (wanted.length === 0) {
  mkdirSync('docs', { recursive: true });
  writeFileSync('docs/clients.md', clientsPage(checks));
  console.log('docs/clients.md is written.');
}
process.exitCode = checks.every(({ features }) => features.every(({ isOk }) => isOk)) ? 0 : 1;

function report(checked: Checked): Checked {
  const { client, version, features, ignored } = checked;
  console.log(`${client} ${version}`);
  for (const { name, isOk, error } of features)
    console.log(`  ${isOk ? 'ok  ' : 'FAIL'} ${name}${error ? `: ${error}` : ''}`);
  if (ignored.length > 0) console.log(`  ignored: ${ignored.join(', ')}`);
  return checked;
}
