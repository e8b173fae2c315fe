import { join } from 'node:path';
import { runAloud, runScript } from './processes.js';
import { ensureBuilt, ensureInstalled } from './setup.js';

await runScript(async () => {
  await ensureInstalled();
  await ensureBuilt();
  return runAloud(process.execPath, [
    join('dist', 'scripts', 'starter', 'evaluate.js'),
    ...process.argv.slice(2),
  ]);
});
