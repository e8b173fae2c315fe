import { join } from 'node:path';
import { runAloud, runScript } from './setup/processes.js';
import { ensureBuilt, ensureInstalled } from './setup/setup.js';

await runScript(async () => {
  await ensureInstalled();
  await ensureBuilt();
  return runAloud(process.execPath, [
    join('dist', 'scripts', 'training', 'evaluate.js'),
    ...process.argv.slice(2),
  ]);
});
